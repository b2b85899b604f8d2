import { DELETION_DAYS, UNKNOWN_DEVICE } from '#contract/account-constants.ts'
import { MAIL_CODE_MINUTES, RESET_LINK_MINUTES } from '#contract/mails.ts'
import { ALARM_SINCE_EN, ALARM_WHY_EN, ALARMS_EN } from '#contract/words/alarms-en.ts'
import { type Language, momentWords, providerName } from './words.ts'

const CODE_NOTE = `The code is good for ${MAIL_CODE_MINUTES} minutes. Do not share it with anyone.`

export const english: Language = {
  footer: 'This is an automatic email, and nobody reads replies to it.',
  plainLink: 'If the button does not open, copy this address:',
  words: {
    'verify-email': ({ code }) => ({
      subject: `${code} is your Ringpost code`,
      heading: 'Your code',
      lead: 'Enter it on the site to finish registering.',
      code,
      note: CODE_NOTE,
      ifNotYou: 'If you did not register at Ringpost, ignore this email: without the code there will be no account.',
    }),
    'already-registered': (_mail, site) => ({
      subject: 'You already have a Ringpost account',
      heading: 'You already have an account',
      lead: 'Somebody tried to register at Ringpost with your address. You do not need a second account: just log in.',
      action: { label: 'Log in', url: `${site}/?login=1` },
      note: 'If you forgot your password, you can set a new one where you log in.',
      ifNotYou: 'If it was not you, there is nothing to do: nothing in your account has changed.',
    }),
    'reset-password': ({ url }) => ({
      subject: 'A new password for Ringpost',
      heading: 'Set a new password',
      lead: 'You asked to change your password. Open the link and choose a new one.',
      action: { label: 'Set a password', url },
      note: `The link is good for ${RESET_LINK_MINUTES} minutes and works once. Do not forward it.`,
      ifNotYou: 'If you did not ask for this, ignore this email: your password stays as it is.',
    }),
    'password-changed': ({ linked = [], keys = 0, chat }, site) => ({
      subject: 'Your Ringpost password was changed',
      heading: 'Password changed',
      lead: 'Your account has a new password. Other devices have to log in again.',
      ...((linked.length > 0 || keys > 0 || chat !== undefined) && {
        facts: [
          ...(linked.length > 0
            ? [{ label: 'Logs in too', value: linked.map((name) => providerName(name, 'en')).join(', ') }]
            : []),
          ...(keys > 0
            ? [{ label: 'API keys that still work', value: String(keys), url: `${site}/settings/api` }]
            : []),
          ...(chat === undefined
            ? []
            : [{ label: 'Telegram chat that is still connected', value: chat, url: `${site}/settings/notifications` }]),
        ],
        note: 'You do not know that one? Remove it in the settings: a new password does not lock it out.',
      }),
      action: { label: 'Open login', url: `${site}/?login=1` },
      ifNotYou: 'If it was not you, set a new password at once: say that you forgot it where you log in.',
    }),
    'link-email': ({ code }) => ({
      subject: `${code} is your Ringpost code`,
      heading: 'The code for your new address',
      lead: 'Enter it on the site to make this the address of your account.',
      code,
      note: CODE_NOTE,
      ifNotYou: 'If you did not change your address at Ringpost, ignore this email: nothing changes without the code.',
    }),
    'email-changed': ({ newEmail }, site) => ({
      subject: 'The address of your Ringpost account was changed',
      heading: 'Address changed',
      lead: 'Your account has another address now. No more letters will come here.',
      facts: [{ label: 'New address', value: newEmail }],
      action: { label: 'Open Ringpost', url: site },
      ifNotYou: 'If it was not you, write to support on the site at once.',
    }),
    'new-device': ({ device, address, at, timeZone }, site) => ({
      subject: 'A new device logged in to Ringpost',
      heading: 'A new device logged in',
      lead: 'Somebody logged in to your account from a device that was not there before.',
      facts: [
        { label: 'Device', value: device === UNKNOWN_DEVICE ? 'not recognised' : device },
        { label: 'IP address', value: address },
        { label: 'Time', value: momentWords(at, 'en', timeZone) },
      ],
      action: { label: 'See your devices', url: `${site}/settings/sessions` },
      ifNotYou: 'If it was not you, end that session and change your password.',
    }),
    'two-factor-on': (_mail, site) => ({
      subject: 'Two-factor login to Ringpost is on',
      heading: 'Two-factor login is on',
      lead: 'From now on logging in takes a code of your app as well as the password.',
      action: { label: 'Open settings', url: `${site}/settings/security` },
      note: 'Keep your recovery codes apart from your phone: they replace it when it is lost.',
      ifNotYou: 'If it was not you, change your password and end the sessions that are not yours.',
    }),
    'two-factor-off': (_mail, site) => ({
      subject: 'Two-factor login to Ringpost is off',
      heading: 'Two-factor login is off',
      lead: 'From now on the password is enough to log in. Old recovery codes do not work any more.',
      action: { label: 'Open settings', url: `${site}/settings/security` },
      ifNotYou: 'If it was not you, change your password and switch two-factor login on again.',
    }),
    'api-key-made': ({ name, renewed }, site) => ({
      subject: renewed ? 'New secret of an API key of Ringpost' : 'New API key of Ringpost',
      heading: renewed ? 'API key renewed' : 'API key made',
      lead: renewed
        ? `The API key “${name}” of your account has a new secret.`
        : `Your account has a new API key: “${name}”. Programs that know it can act for you.`,
      action: { label: 'Open your keys', url: `${site}/settings/api` },
      ifNotYou: 'If it was not you, revoke the key, change your password and end the sessions that are not yours.',
    }),
    'api-key-widened': ({ name }, site) => ({
      subject: 'An API key of Ringpost may do more',
      heading: 'API key changed',
      lead: `The API key “${name}” of your account may do more than before.`,
      action: { label: 'Open your keys', url: `${site}/settings/api` },
      ifNotYou: 'If it was not you, revoke the key, change your password and end the sessions that are not yours.',
    }),
    'webhook-made': ({ label, host, moved }, site) => ({
      subject: moved ? 'A webhook of Ringpost has a new address' : 'New webhook of Ringpost',
      heading: moved ? 'Webhook moved' : 'Webhook added',
      lead: moved
        ? `The webhook “${label}” of your account now sends to ${host}. Codes of your numbers may go there.`
        : `Your account has a new webhook: “${label}”. It sends to ${host}, and codes of your numbers may go there.`,
      action: { label: 'Open your webhooks', url: `${site}/settings/api` },
      ifNotYou:
        'If it was not you, delete the webhook, change your password, revoke the API keys and end the sessions that are not yours.',
    }),
    'identity-linked': ({ provider }, site) => {
      const name = providerName(provider, 'en')
      return {
        subject: `Login with ${name} was added to Ringpost`,
        heading: `Login with ${name} was added`,
        lead: `You can now log in to your account with ${name} too.`,
        action: { label: 'Open settings', url: `${site}/settings` },
        ifNotYou: `If it was not you, unlink ${name} in the settings and change your password.`,
      }
    },
    'identity-unlinked': ({ provider }, site) => {
      const name = providerName(provider, 'en')
      return {
        subject: `Login with ${name} was removed from Ringpost`,
        heading: `Login with ${name} was removed`,
        lead: `${name} does not log in to your account any more.`,
        action: { label: 'Open settings', url: `${site}/settings` },
        ifNotYou: 'If it was not you, change your password and end the sessions that are not yours.',
      }
    },
    'passkey-added': ({ name }, site) => ({
      subject: 'A passkey was added to Ringpost',
      heading: 'A passkey was added',
      lead: `You can now log in to your account with the passkey “${name}”, without a password.`,
      action: { label: 'Open settings', url: `${site}/settings/security` },
      ifNotYou: 'If it was not you, remove this passkey in the settings and change your password.',
    }),
    'passkey-removed': ({ name }, site) => ({
      subject: 'A passkey was removed from Ringpost',
      heading: 'A passkey was removed',
      lead: `The passkey “${name}” does not log in to your account any more.`,
      action: { label: 'Open settings', url: `${site}/settings/security` },
      ifNotYou: 'If it was not you, change your password and end the sessions that are not yours.',
    }),
    'recovery-codes-renewed': (_mail, site) => ({
      subject: 'New recovery codes for Ringpost',
      heading: 'Recovery codes replaced',
      lead: 'Your account has new recovery codes. The former ones do not work any more.',
      action: { label: 'Open settings', url: `${site}/settings/security` },
      ifNotYou: 'If it was not you, change your password and end the sessions that are not yours.',
    }),
    'rental-expiring': ({ phone, until, timeZone }, site) => ({
      subject: `Your rental of ${phone} ends soon`,
      heading: 'Your rental ends soon',
      lead: 'After that the number is gone, and no more messages come to it. You cannot get it back later, but you can still extend it.',
      facts: [
        { label: 'Number', value: phone },
        { label: 'Ends', value: momentWords(until, 'en', timeZone) },
      ],
      action: { label: 'Extend the rental', url: `${site}/rent` },
      ifNotYou: 'If you did not plan to keep this number, there is nothing to do: it ends by itself.',
    }),
    'support-answer': ({ ticket, subject }, site) => ({
      subject: `An answer to “${subject}”`,
      heading: 'Support has answered',
      lead: 'The answer waits in your ticket. Write there too if anything is left open.',
      facts: [{ label: `Ticket ${ticket}`, value: subject }],
      action: { label: 'Read the answer', url: `${site}/support/${ticket}` },
      ifNotYou: 'If it was not you who wrote to support, someone may have been in your account: change its password.',
    }),
    notification: ({ title, text, link }, site) => ({
      subject: title,
      heading: title,
      lead: text,
      ...(link !== null && { action: { label: 'Open', url: `${site}${link}` } }),
      ifNotYou: `If you did not want such letters, turn them off in the settings: ${site}/settings/notifications`,
    }),
    'export-ready': ({ until }, site) => ({
      subject: 'Your Ringpost data is ready',
      heading: 'The file with your data is ready',
      lead: 'You asked for all that we store about you. Log in and fetch the file: this letter alone opens nothing.',
      facts: [{ label: 'Until', value: momentWords(until, 'en') }],
      action: { label: 'Open My data', url: `${site}/settings/privacy` },
      ifNotYou: 'If you did not ask for it, change your password and end the sessions that are not yours.',
    }),
    'deletion-begun': ({ until }, site) => ({
      subject: 'Your Ringpost account is going to be deleted',
      heading: 'The account is going to be deleted',
      lead: `You asked for it. For ${DELETION_DAYS} days everything works as before, and you can keep the account by one press.`,
      facts: [{ label: 'Deleted from', value: momentWords(until, 'en') }],
      action: { label: 'Keep my account', url: `${site}/settings/privacy` },
      ifNotYou:
        'If it was not you, press the button, then change your password and end the sessions that are not yours.',
    }),
    'deletion-soon': ({ until }, site) => ({
      subject: 'Your Ringpost account is deleted tomorrow',
      heading: 'One day is left',
      lead: 'Tomorrow your account is deleted for good. Until then you can keep it.',
      facts: [{ label: 'Deleted from', value: momentWords(until, 'en') }],
      action: { label: 'Keep my account', url: `${site}/settings/privacy` },
      note: 'While a number, a payment or a dispute is open, or more is left on the balance than you gave up, it waits.',
      ifNotYou:
        'If it was not you, press the button, then change your password and end the sessions that are not yours.',
    }),
    'account-deleted': (_mail, site) => ({
      subject: 'Your Ringpost account is deleted',
      heading: 'The account is deleted',
      lead: 'Your e-mail, name, logins and the words of your messages are gone. Records of money stay, and no longer name you. This is our last letter.',
      action: { label: 'What we keep, and why', url: `${site}/privacy-policy` },
      ifNotYou:
        'If it was not you, write to support: deleted data cannot be restored, but we can find out what happened.',
    }),
    alarm: ({ alarm, about, over, at, since = at, why }) => {
      const words = ALARMS_EN[alarm]
      return {
        subject: `Ringpost: ${over ? words.over : words.begun}${about === '' ? '' : ` (${about})`}`,
        heading: over ? words.over : words.begun,
        lead: over ? 'The alarm is over. The next letter comes when it begins again.' : words.todo,
        facts: [
          ...(about === '' ? [] : [{ label: words.about, value: about }]),
          ...(why == null ? [] : [{ label: ALARM_WHY_EN, value: why }]),
          ...(since === at ? [] : [{ label: ALARM_SINCE_EN, value: momentWords(since, 'en') }]),
          { label: 'Time', value: momentWords(at, 'en') },
        ],
        ifNotYou: 'If you did not expect this letter: the setting ALARM_MAIL of this service names your address.',
      }
    },
  },
}
