import type { Behaviour } from './behaviours.ts'

export function compose(
  words: Behaviour['words'],
  { serviceCode, name, code }: { serviceCode: string; name: string; code: string },
): string {
  switch (words) {
    case 'usual':
      return composeMessage(serviceCode, name, code)
    case 'unicode':
      return composeUnicodeMessage(name, code)
    case 'notice':
      return composeNotice(name)
    default:
      return words satisfies never
  }
}

function composeMessage(serviceCode: string, serviceName: string, code: string): string {
  switch (serviceCode) {
    case 'tg':
      return `Telegram code: ${code.slice(0, 5)}\n\nYou can also tap on this link to log in:\nhttps://t.me/login/${code.slice(0, 5)}`
    case 'wa':
      return `Ваш код WhatsApp: ${code.slice(0, 3)}-${code.slice(3)}. Не сообщайте его никому`
    case 'go':
      return `G-${code} is your Google verification code. Don't share your code with anyone.`
    case 'vk':
      return `VK: ${code} – ваш код для входа`
    default:
      return `${serviceName}: ${code} is your verification code. It expires in 10 minutes.`
  }
}

function composeNotice(serviceName: string): string {
  return `${serviceName}: new sign-in to your account from Chrome on Windows. If it was not you, change your password.`
}

/** Makes a text longer than one Unicode SMS, with characters that a careless gateway breaks. */
function composeUnicodeMessage(serviceName: string, code: string): string {
  return (
    `«${serviceName}»: здравствуйте! Ваш код подтверждения — ${code}. Никому не сообщайте его, даже сотрудникам ` +
    `поддержки: мы никогда не спрашиваем коды ☎️. Если вы не запрашивали код, просто не отвечайте на это ` +
    `сообщение, ёлки-палки 🌲. Спасибо, что пользуетесь сервисом!`
  )
}
