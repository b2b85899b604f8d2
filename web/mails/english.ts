import { DELETION_DAYS, UNKNOWN_DEVICE } from '#contract/account-constants.ts'
import { MAIL_CODE_MINUTES, RESET_LINK_MINUTES } from '#contract/mails.ts'
import { ALARM_SINCE_EN, ALARM_WHY_EN, ALARMS_EN } from '#contract/words/alarms-en.ts'
import { type Language, momentWords, providerName } from './words.ts'

const CODE_NOTE = `The code expires in ${MAIL_CODE_MINUTES} minutes. Don’t share it with anyone.`

export const english: Language = {
  footer: 'This e-mail was sent automatically. We don’t read replies to it.',
  plainLink: 'If the button doesn’t work, copy this address:',
  words: {
    'verify-email': ({ code }) => ({
      subject: `${code} is your Ringpost code`,
      heading: 'Your code',
      lead: 'Enter this code on the site to finish registering.',
      code,
      note: CODE_NOTE,
      ifNotYou: 'If you didn’t register at Ringpost, ignore this e-mail. Without the code, no account will be created.',
    }),
    'already-registered': (_mail, site) => ({
      subject: 'You already have a Ringpost account',
      heading: 'You already have an account',
      lead: 'Someone tried to register at Ringpost with your e-mail address. You already have an account, so you can just log in.',
      action: { label: 'Log in', url: `${site}/?login=1` },
      note: 'If you forgot your password, you can set a new one when you log in.',
      ifNotYou: 'If it wasn’t you, there’s nothing you need to do. Your account hasn’t changed.',
    }),
    'reset-password': ({ url }) => ({
      subject: 'Set a new Ringpost password',
      heading: 'Set a new password',
      lead: 'You asked to reset your password. Open the link to choose a new one.',
      action: { label: 'Set a password', url },
      note: `The link works once and expires in ${RESET_LINK_MINUTES} minutes. Don’t forward it.`,
      ifNotYou: 'If you didn’t ask for this, ignore this e-mail. Your password won’t change.',
    }),
    'password-changed': ({ linked = [], keys = 0, chat }, site) => ({
      subject: 'Your Ringpost password was changed',
      heading: 'Password changed',
      lead: 'Your account has a new password. Your other devices will have to log in again.',
      ...((linked.length > 0 || keys > 0 || chat !== undefined) && {
        facts: [
          ...(linked.length > 0
            ? [{ label: 'Other ways to log in', value: linked.map((name) => providerName(name, 'en')).join(', ') }]
            : []),
          ...(keys > 0
            ? [{ label: 'API keys that still work', value: String(keys), url: `${site}/settings/api` }]
            : []),
          ...(chat === undefined
            ? []
            : [{ label: 'Telegram chat still connected', value: chat, url: `${site}/settings/notifications` }]),
        ],
        note: 'If you don’t recognise something here, remove it in the settings. A new password doesn’t remove its access.',
      }),
      action: { label: 'Log in', url: `${site}/?login=1` },
      ifNotYou: 'If it wasn’t you, set a new password straight away: choose “Forgot your password?” when you log in.',
    }),
    'link-email': ({ code }) => ({
      subject: `${code} is your Ringpost code`,
      heading: 'Confirm your new address',
      lead: 'Enter this code on the site to start using this address for your account.',
      code,
      note: CODE_NOTE,
      ifNotYou:
        'If you didn’t change your address at Ringpost, ignore this e-mail. Without the code, nothing will change.',
    }),
    'email-changed': ({ newEmail }, site) => ({
      subject: 'Your Ringpost e-mail address was changed',
      heading: 'E-mail address changed',
      lead: 'Your account now uses a different address. We won’t send any more e-mails to this one.',
      facts: [{ label: 'New address', value: newEmail }],
      action: { label: 'Open Ringpost', url: site },
      ifNotYou: 'If it wasn’t you, contact support on the site straight away.',
    }),
    'new-device': ({ device, address, at, timeZone }, site) => ({
      subject: 'New device logged in to Ringpost',
      heading: 'New device logged in',
      lead: 'Someone logged in to your account from a device we haven’t seen before.',
      facts: [
        { label: 'Device', value: device === UNKNOWN_DEVICE ? 'not recognised' : device },
        { label: 'IP address', value: address },
        { label: 'Time', value: momentWords(at, 'en', timeZone) },
      ],
      action: { label: 'See your devices', url: `${site}/settings/sessions` },
      ifNotYou: 'If it wasn’t you, end that session and change your password.',
    }),
    'two-factor-on': (_mail, site) => ({
      subject: 'Two-factor login to Ringpost is on',
      heading: 'Two-factor login is on',
      lead: 'From now on, you’ll need a code from your app as well as your password to log in.',
      action: { label: 'Open settings', url: `${site}/settings/security` },
      note: 'Keep your recovery codes somewhere other than your phone: you’ll need them if you lose your phone.',
      ifNotYou: 'If it wasn’t you, change your password and end the sessions that aren’t yours.',
    }),
    'two-factor-off': (_mail, site) => ({
      subject: 'Two-factor login to Ringpost is off',
      heading: 'Two-factor login is off',
      lead: 'From now on, your password alone is enough to log in. Old recovery codes no longer work.',
      action: { label: 'Open settings', url: `${site}/settings/security` },
      ifNotYou: 'If it wasn’t you, change your password and turn two-factor login on again.',
    }),
    'api-key-made': ({ name, renewed }, site) => ({
      subject: renewed ? 'Ringpost API key replaced' : 'New Ringpost API key',
      heading: renewed ? 'API key replaced' : 'API key created',
      lead: renewed
        ? `Your API key “${name}” has a new value.`
        : `Your account has a new API key: “${name}”. Apps with this key can act on your behalf.`,
      action: { label: 'Open API keys', url: `${site}/settings/api` },
      ifNotYou: 'If it wasn’t you, revoke the key, change your password and end the sessions that aren’t yours.',
    }),
    'api-key-widened': ({ name }, site) => ({
      subject: 'A Ringpost API key has new permissions',
      heading: 'API key changed',
      lead: `Your API key “${name}” now has more permissions than before.`,
      action: { label: 'Open API keys', url: `${site}/settings/api` },
      ifNotYou: 'If it wasn’t you, revoke the key, change your password and end the sessions that aren’t yours.',
    }),
    'webhook-made': ({ label, host, moved }, site) => ({
      subject: moved ? 'A Ringpost webhook has a new address' : 'New Ringpost webhook',
      heading: moved ? 'Webhook moved' : 'Webhook added',
      lead: moved
        ? `Your webhook “${label}” now sends to ${host}. Codes from your numbers may go there.`
        : `Your account has a new webhook: “${label}”. It sends to ${host}, and codes from your numbers may go there.`,
      action: { label: 'Open your webhooks', url: `${site}/settings/api` },
      ifNotYou:
        'If it wasn’t you, delete the webhook, change your password, revoke unknown API keys and end the sessions that aren’t yours.',
    }),
    'identity-linked': ({ provider }, site) => {
      const name = providerName(provider, 'en')
      return {
        subject: `${name} login added to your Ringpost account`,
        heading: `${name} login added`,
        lead: `You can now also log in to your account with ${name}.`,
        action: { label: 'Open settings', url: `${site}/settings` },
        ifNotYou: `If it wasn’t you, unlink ${name} in the settings and change your password.`,
      }
    },
    'identity-unlinked': ({ provider }, site) => {
      const name = providerName(provider, 'en')
      return {
        subject: `${name} login removed from your Ringpost account`,
        heading: `${name} login removed`,
        lead: `You can no longer log in to your account with ${name}.`,
        action: { label: 'Open settings', url: `${site}/settings` },
        ifNotYou: 'If it wasn’t you, change your password and end the sessions that aren’t yours.',
      }
    },
    'passkey-added': ({ name }, site) => ({
      subject: 'Passkey added to your Ringpost account',
      heading: 'Passkey added',
      lead: `You can now log in with the passkey “${name}”, without a password.`,
      action: { label: 'Open settings', url: `${site}/settings/security` },
      ifNotYou: 'If it wasn’t you, remove this passkey in the settings and change your password.',
    }),
    'passkey-removed': ({ name }, site) => ({
      subject: 'Passkey removed from your Ringpost account',
      heading: 'Passkey removed',
      lead: `You can no longer log in with the passkey “${name}”.`,
      action: { label: 'Open settings', url: `${site}/settings/security` },
      ifNotYou: 'If it wasn’t you, change your password and end the sessions that aren’t yours.',
    }),
    'recovery-codes-renewed': (_mail, site) => ({
      subject: 'Your new Ringpost recovery codes',
      heading: 'Recovery codes replaced',
      lead: 'Your account has new recovery codes. The old ones no longer work.',
      action: { label: 'Open settings', url: `${site}/settings/security` },
      ifNotYou: 'If it wasn’t you, change your password and end the sessions that aren’t yours.',
    }),
    'rental-expiring': ({ phone, until, timeZone }, site) => ({
      subject: `Your rental of ${phone} ends soon`,
      heading: 'Your rental ends soon',
      lead: 'When it ends, you’ll lose the number and stop receiving its messages. You won’t be able to get it back, but you can still extend the rental.',
      facts: [
        { label: 'Number', value: phone },
        { label: 'Ends', value: momentWords(until, 'en', timeZone) },
      ],
      action: { label: 'Extend the rental', url: `${site}/rent` },
      ifNotYou: 'If you don’t need this number any more, just ignore this e-mail. The rental will end automatically.',
    }),
    'support-answer': ({ ticket, subject }, site) => ({
      subject: `Support has replied: “${subject}”`,
      heading: 'Support has replied',
      lead: 'You’ll find the reply in your ticket. If anything is still unclear, just reply there.',
      facts: [{ label: `Ticket ${ticket}`, value: subject }],
      action: { label: 'Read the reply', url: `${site}/support/${ticket}` },
      ifNotYou: 'If you didn’t contact support, someone else may have access to your account. Change your password.',
    }),
    notification: ({ title, text, link }, site) => ({
      subject: title,
      heading: title,
      lead: text,
      ...(link !== null && { action: { label: 'Open', url: `${site}${link}` } }),
      ifNotYou: `If you don’t want these e-mails, turn them off in the settings: ${site}/settings/notifications`,
    }),
    'export-ready': ({ until }, site) => ({
      subject: 'Your Ringpost data is ready',
      heading: 'Your data is ready',
      lead: 'You asked for everything we store about you. To download the file, you’ll need to log in first.',
      facts: [{ label: 'Available until', value: momentWords(until, 'en') }],
      action: { label: 'Open My data', url: `${site}/settings/privacy` },
      ifNotYou: 'If you didn’t request this file, change your password and end the sessions that aren’t yours.',
    }),
    'deletion-begun': ({ until }, site) => ({
      subject: 'Your Ringpost account will be deleted',
      heading: 'Your account will be deleted',
      lead: `You asked us to delete your account. For ${DELETION_DAYS} days, everything works as before, and you can keep your account with one tap.`,
      facts: [{ label: 'Deletion date', value: momentWords(until, 'en') }],
      action: { label: 'Keep my account', url: `${site}/settings/privacy` },
      ifNotYou: 'If it wasn’t you, press the button, then change your password and end the sessions that aren’t yours.',
    }),
    'deletion-soon': ({ until }, site) => ({
      subject: 'Your Ringpost account will be deleted tomorrow',
      heading: 'One day left',
      lead: 'We’ll permanently delete your account tomorrow. You can still keep your account if you act before then.',
      facts: [{ label: 'Deletion date', value: momentWords(until, 'en') }],
      action: { label: 'Keep my account', url: `${site}/settings/privacy` },
      note: 'We’ll wait longer if a number, payment or dispute is still open, or if your balance is higher than the amount you agreed to give up.',
      ifNotYou: 'If it wasn’t you, press the button, then change your password and end the sessions that aren’t yours.',
    }),
    'account-deleted': (_mail, site) => ({
      subject: 'Your Ringpost account has been deleted',
      heading: 'Your account has been deleted',
      lead: 'We’ve erased your e-mail, name, logins and messages. We keep money records, but without your name. This is the last e-mail we’ll send you.',
      action: { label: 'What we keep and why', url: `${site}/privacy-policy` },
      ifNotYou: 'If it wasn’t you, contact support. We can’t restore deleted data, but we can find out what happened.',
    }),
    alarm: ({ alarm, about, over, at, since = at, why }) => {
      const words = ALARMS_EN[alarm]
      return {
        subject: `Ringpost: ${over ? words.over : words.begun}${about === '' ? '' : ` (${about})`}`,
        heading: over ? words.over : words.begun,
        lead: over ? 'The alarm is over. We’ll e-mail you if it starts again.' : words.todo,
        facts: [
          ...(about === '' ? [] : [{ label: words.about, value: about }]),
          ...(why == null ? [] : [{ label: ALARM_WHY_EN, value: why }]),
          ...(since === at ? [] : [{ label: ALARM_SINCE_EN, value: momentWords(since, 'en') }]),
          { label: 'Time', value: momentWords(at, 'en') },
        ],
        ifNotYou: 'If you didn’t expect this e-mail, check this service’s ALARM_MAIL setting: your address is in it.',
      }
    },
  },
}
