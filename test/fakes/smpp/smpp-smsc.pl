# This program plays a carrier's SMSC with Net::SMPP, one connection at a time. It reads commands as JSON lines from
# standard input and writes events as JSON lines to standard output.
use strict;
use warnings;
use IO::Select;
use JSON::PP;
use Net::SMPP;

$| = 1;
my $json    = JSON::PP->new->canonical;
my $answers = 1;    # whether enquire_link is answered
my $line    = '';
my %names   = map { $_ => Net::SMPP::pdu_tab->{$_}{cmd} } keys %{ Net::SMPP::pdu_tab() };

sub report { print $json->encode({@_}), "\n" }

my $listener = Net::SMPP->new_listen('127.0.0.1', smpp_version => 0x34, interface_version => 0x34, port => 0)
  or die "cannot listen: $!";
report(event => 'listening', port => $listener->sockport);

my $peer;
while (1) {
    # The process ends with its input, because it would otherwise outlive the test that started it.
    for my $ready (IO::Select->new(\*STDIN, $peer // $listener)->can_read) {
        if ($ready == \*STDIN) {
            sysread(STDIN, $line, 65536, length $line) or exit 0;
            while ($line =~ s/^([^\n]*)\n//) {
                my $command = $json->decode($1);
                hang_up() unless obey($command);
            }
        }
        elsif (!$peer) {
            $peer = $listener->accept;
        }
        else {
            my $pdu = $peer->read_pdu;
            hang_up() unless $pdu && answer($pdu);
        }
    }
}

sub hang_up {
    close $peer if $peer;
    undef $peer;
    report(event => 'closed');
}

sub answer {
    my ($pdu) = @_;
    my $name = $names{ $pdu->{cmd} } // 'unknown';
    report(event => $name, status => $pdu->{status}, seq => $pdu->{seq}, map { $_ => $pdu->{$_} }
          grep { defined $pdu->{$_} } qw(system_id password system_type interface_version message_id));
    if ($name =~ /^bind_(receiver|transceiver)$/) {
        my $respond = "${name}_resp";
        $peer->$respond(system_id => 'net-smpp', seq => $pdu->{seq});
    }
    $peer->enquire_link_resp(seq => $pdu->{seq}) if $name eq 'enquire_link' && $answers;
    if ($name eq 'unbind') {
        $peer->unbind_resp(seq => $pdu->{seq});
        return 0;
    }
    return 1;
}

sub obey {
    my ($command) = @_;
    return 0 if $command->{do} eq 'drop';
    $answers = $command->{answers} if $command->{do} eq 'enquire_link';
    $peer->enquire_link(async => 1) if $command->{do} eq 'ask';
    if ($command->{do} eq 'deliver') {
        $peer->deliver_sm(
            async            => 1,
            seq              => $command->{seq},
            source_addr      => $command->{from},
            destination_addr => $command->{to},
            esm_class        => $command->{esm_class},
            data_coding      => $command->{data_coding},
            short_message    => pack('H*', $command->{hex}),
        );
    }
    return 1;
}
