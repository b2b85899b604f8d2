import type { CodeLanguage } from './request.ts'

const CURL = `# $ID, $TIME and $SIGNATURE are the headers webhook-id, webhook-timestamp and
# webhook-signature; the file body has the body as it came.
key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
mine=$({ printf '%s.%s.' "$ID" "$TIME"; cat body; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
age=$(($(date +%s) - TIME))
case " $SIGNATURE " in
  *" v1,$mine "*) [ "\${age#-}" -le 300 ] && echo ours ;;
  *) echo 'not ours' ;;
esac`

const TYPESCRIPT = `import { createHmac, timingSafeEqual } from 'node:crypto'

export function verify(secret: string, headers: Headers, body: string): boolean {
  const time = headers.get('webhook-timestamp') ?? ''
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = [headers.get('webhook-id'), time, body].join('.')
  const mine = Buffer.from('v1,' + createHmac('sha256', key).update(signed).digest('base64'))
  return (headers.get('webhook-signature') ?? '').split(' ').some((signature) => {
    const theirs = Buffer.from(signature)
    return theirs.length === mine.length && timingSafeEqual(theirs, mine)
  })
}`

const PYTHON = `import base64, hashlib, hmac, time

def verify(secret: str, headers, body: bytes) -> bool:
    if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
        return False
    key = base64.b64decode(secret.replace("whsec_", ""))
    signed = f'{headers["webhook-id"]}.{headers["webhook-timestamp"]}.'.encode() + body
    mine = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(one, mine) for one in headers["webhook-signature"].split())`

const PHP = `<?php
function verify(string $secret, array $headers, string $body): bool
{
    if (abs(time() - (int) $headers['webhook-timestamp']) > 300) {
        return false;
    }
    $key = base64_decode(str_replace('whsec_', '', $secret));
    $signed = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.$body";
    $mine = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $signature) {
        if (hash_equals($mine, $signature)) {
            return true;
        }
    }
    return false;
}`

const GO = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func verify(secret string, headers http.Header, body []byte) bool {
	sent, err := strconv.ParseInt(headers.Get("webhook-timestamp"), 10, 64)
	if age := time.Now().Unix() - sent; err != nil || age > 300 || age < -300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", headers.Get("webhook-id"), sent, body)
	mine := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(headers.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(mine)) {
			return true
		}
	}
	return false
}`

/** The check of a webhook's signature by the Standard Webhooks specification, with standard libraries alone. */
export const VERIFIERS: Readonly<Record<CodeLanguage, string>> = {
  curl: CURL,
  typescript: TYPESCRIPT,
  python: PYTHON,
  php: PHP,
  go: GO,
}
