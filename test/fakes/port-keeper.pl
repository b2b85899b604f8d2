# This program holds a listening port open as systemd does (sd_listen_fds(3)) and restarts its command each time the
# command ends, until SIGTERM. The first line of output is the port; `ended` follows each end of the command.
use strict;
use warnings;
BEGIN { $^F = 10 }    # The command inherits the socket.
use IO::Socket::INET;
use POSIX ();

my $socket = IO::Socket::INET->new(Listen => 4096, LocalAddr => '127.0.0.1', LocalPort => 0) or die "no port: $!";
POSIX::dup2(fileno($socket), 3) if fileno($socket) != 3;
$| = 1;
my ($pid, $stopped);
$SIG{TERM} = sub { $stopped = 1; kill 'KILL', $pid if $pid };
print 'port ', $socket->sockport, "\n";
until ($stopped) {
  $pid = fork;
  if (!$pid) {
    $ENV{LISTEN_PID} = $$;
    $ENV{LISTEN_FDS} = 1;
    exec @ARGV;
  }
  print "child $pid\n";
  1 while waitpid($pid, 0) == -1 && $!{EINTR};
  print "ended\n";
}
