import type { CodeLanguage } from './request.ts'

const CURL = `# Answers when a code has come, the number has ended, or 30 seconds have passed.
until curl -sS "{site}/api/v1/activations/100000001?wait=30" \\
  -H "Authorization: Bearer $RINGPOST_KEY" | tee reply.json |
  grep -qv '"state":"waiting'; do :; done
cat reply.json`

const TYPESCRIPT = `const site = '{site}'
const headers = { Authorization: 'Bearer ' + process.env.RINGPOST_KEY }
const user = await (await fetch(site + '/api/user', { headers })).json()
const channel = 'private-user.' + user.id

const socket = new WebSocket(site.replace('http', 'ws') + '/app/ringpost?protocol=7')
socket.onmessage = async ({ data: frame }) => {
  const { event, data } = JSON.parse(frame)
  if (event === 'pusher:connection_established') {
    const body = new URLSearchParams({ socket_id: JSON.parse(data).socket_id, channel_name: channel })
    const { auth } = await (await fetch(site + '/broadcasting/auth', { method: 'POST', headers, body })).json()
    socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { auth, channel } }))
  }
  if (event === 'pusher_internal:subscription_succeeded') console.log('listening')
  if (event === 'pusher:ping') socket.send(JSON.stringify({ event: 'pusher:pong', data: {} }))
  if (event === 'NewCode') console.log(JSON.parse(data).message.code)
}`

const PYTHON = `import json, os
from urllib.request import Request, urlopen

request = Request(
    "{site}/api/v1/activations/100000001?wait=30",
    headers={"Authorization": "Bearer " + os.environ["RINGPOST_KEY"]},
)
while True:
    with urlopen(request) as reply:
        number = json.load(reply)["data"]
    if not number["state"].startswith("waiting"):
        break
print(number["code"])`

const PHP = `<?php
$curl = curl_init('{site}/api/v1/activations/100000001?wait=30');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('RINGPOST_KEY')],
]);
do {
    $number = json_decode(curl_exec($curl), true)['data'];
} while (str_starts_with($number['state'], 'waiting'));
echo $number['code'];`

const GO = `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	request, err := http.NewRequest("GET", "{site}/api/v1/activations/100000001?wait=30", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("RINGPOST_KEY"))
	for {
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		var number struct {
			Data struct{ State, Code string }
		}
		err = json.NewDecoder(reply.Body).Decode(&number)
		reply.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		if !strings.HasPrefix(number.Data.State, "waiting") {
			fmt.Fprintln(os.Stdout, number.Data.Code)
			return
		}
	}
}`

/** Programs that print a code the moment it comes, and how each reads the key, which a pasted key replaces. */
export const LISTENERS: Readonly<Record<CodeLanguage, { text: string; keyFromEnvironment: string }>> = {
  curl: { text: CURL, keyFromEnvironment: '$RINGPOST_KEY' },
  typescript: { text: TYPESCRIPT, keyFromEnvironment: 'process.env.RINGPOST_KEY' },
  python: { text: PYTHON, keyFromEnvironment: 'os.environ["RINGPOST_KEY"]' },
  php: { text: PHP, keyFromEnvironment: `getenv('RINGPOST_KEY')` },
  go: { text: GO, keyFromEnvironment: 'os.Getenv("RINGPOST_KEY")' },
}
