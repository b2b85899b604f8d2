import type { Locale } from '#contract/constants.ts'
import type { Seeded } from './seeded.ts'

type Language = Locale | 'de' | 'es' | 'fr' | 'pt' | 'id'
/** A text with the code in place of `{code}`. `digits` is the length of the service's codes. */
type Writer = {
  sender: string
  digits: number
  texts: Partial<Record<Language, readonly string[]>> & { en: readonly string[] }
}

const LANGUAGES: Record<number, Language> = {
  0: 'ru',
  2: 'ru',
  51: 'ru',
  11: 'ru',
  40: 'ru',
  43: 'de',
  50: 'de',
  56: 'es',
  54: 'es',
  33: 'es',
  78: 'fr',
  73: 'pt',
  117: 'pt',
  6: 'id',
}

/** Services write in the country's language if they know it. Russian services write in Russian everywhere. */
const writers: Readonly<Record<string, Writer>> = {
  tg: {
    sender: 'Telegram',
    digits: 5,
    texts: {
      en: ['Telegram code: {code}\n\nYou can also tap on this link to log in:\nhttps://t.me/login/{code}'],
      ru: ['Код Telegram: {code}\n\nВы также можете нажать на ссылку, чтобы войти:\nhttps://t.me/login/{code}'],
      de: [
        'Telegram-Code: {code}\n\nDu kannst auch auf diesen Link tippen, um dich anzumelden:\nhttps://t.me/login/{code}',
      ],
      id: ['Kode Telegram: {code}\n\nAnda juga dapat mengetuk tautan ini untuk masuk:\nhttps://t.me/login/{code}'],
    },
  },
  wa: {
    sender: 'WhatsApp',
    digits: 6,
    texts: {
      en: [
        "Your WhatsApp code: {dashed}\nDon't share this code with others",
        'WhatsApp code {dashed}. You can also tap on this link to verify your phone: v.whatsapp.com/{code}',
      ],
      ru: ['Ваш код WhatsApp: {dashed}\nНе сообщайте его никому'],
      de: ['Dein WhatsApp-Code: {dashed}\nTeile diesen Code mit niemandem'],
      es: ['Tu código de WhatsApp es {dashed}\nNo lo compartas'],
      pt: ['Seu código do WhatsApp: {dashed}\nNão compartilhe este código'],
      fr: ['Votre code WhatsApp : {dashed}\nNe partagez pas ce code'],
      id: ['Kode WhatsApp Anda: {dashed}\nJangan bagikan kode ini'],
    },
  },
  go: {
    sender: 'Google',
    digits: 6,
    texts: {
      en: ["G-{code} is your Google verification code. Don't share your code with anyone."],
      ru: ['G-{code} — ваш код подтверждения Google. Никому его не сообщайте.'],
      de: ['G-{code} ist Ihr Google-Bestätigungscode.'],
      pt: ['G-{code} é o seu código de verificação do Google.'],
      id: ['G-{code} adalah kode verifikasi Google Anda.'],
    },
  },
  vk: { sender: 'VK', digits: 6, texts: { en: ['VK: {code} – ваш код для входа. Никому его не сообщайте'] } },
  ok: {
    sender: 'OK.RU',
    digits: 6,
    texts: { en: ['{code} - код подтверждения в Одноклассниках. Никому его не сообщайте'] },
  },
  ya: {
    sender: 'Yandex',
    digits: 6,
    texts: { en: ['Ваш код подтверждения: {spaced}. Наберите его в поле ввода. Яндекс'] },
  },
  uu: {
    sender: 'Wildberries',
    digits: 6,
    texts: { en: ['{code} - код для входа на Wildberries. Не сообщайте его никому'] },
  },
  ma: { sender: 'Mail.ru', digits: 6, texts: { en: ['Код Mail: {code}. Никому не говорите этот код'] } },
  ig: {
    sender: 'Instagram',
    digits: 6,
    texts: {
      en: ["{spaced} is your Instagram code. Don't share it."],
      ru: ['{spaced} — ваш код Instagram. Не сообщайте его никому.'],
      id: ['{spaced} adalah kode Instagram Anda. Jangan bagikan.'],
      pt: ['{spaced} é seu código do Instagram. Não o compartilhe.'],
    },
  },
  fb: {
    sender: 'Facebook',
    digits: 5,
    texts: {
      en: ['{code} is your Facebook confirmation code'],
      ru: ['{code} — ваш код подтверждения для Facebook'],
      id: ['{code} adalah kode konfirmasi Facebook Anda'],
    },
  },
  dr: { sender: 'OpenAI', digits: 6, texts: { en: ['Your OpenAI verification code is: {code}'] } },
  ds: {
    sender: 'Discord',
    digits: 6,
    texts: { en: ['Your Discord verification code is: {code}'], ru: ['Ваш код подтверждения Discord: {code}'] },
  },
  tw: { sender: 'X', digits: 6, texts: { en: ['Your X confirmation code is {code}.'] } },
  am: {
    sender: 'Amazon',
    digits: 6,
    texts: {
      en: ['{code} is your Amazon OTP. Do not share it with anyone.'],
      de: ['{code} ist dein Amazon-OTP. Gib es nicht weiter.'],
    },
  },
  wx: {
    sender: 'Apple',
    digits: 6,
    texts: {
      en: ["Your Apple Account code is: {code}. Don't share it with anyone."],
      ru: ['Код Вашего Аккаунта Apple: {code}. Никому его не сообщайте.'],
    },
  },
  mm: {
    sender: 'Microsoft',
    digits: 6,
    texts: {
      en: ['Use {code} as Microsoft account security code'],
      ru: ['{code} — код безопасности учетной записи Майкрософт'],
    },
  },
  lf: {
    sender: 'TikTok',
    digits: 6,
    texts: {
      en: ['[TikTok] {code} is your verification code, valid for 5 minutes.'],
      ru: ['[TikTok] {code} — ваш код подтверждения, он действует 5 минут.'],
    },
  },
  vi: {
    sender: 'Viber',
    digits: 6,
    texts: {
      en: [
        'Your Viber code: {code}. You can also tap this link to finish your activation: https://unv.viber.com/a/{code}',
      ],
      ru: ['Ваш код Viber: {code}. Никому его не сообщайте'],
    },
  },
}

export type WrittenSms = { serviceCode: string; sender: string; code: string; text: string }

/** Writes a service's message as the service writes it, in the language of the number's country. */
export function writeSms(
  seeded: Seeded,
  { serviceCode, countryId }: { serviceCode: string; countryId: number },
): WrittenSms {
  const writer = writers[serviceCode]
  if (writer === undefined) throw new RangeError(`nobody wrote a text for ${serviceCode}`)
  const { sender, digits, texts } = writer
  const code = seeded.whole(10 ** (digits - 1), 10 ** digits - 1).toString()
  const text = seeded.pick(texts[LANGUAGES[countryId] ?? 'en'] ?? texts.en)
  const [head, tail] = [code.slice(0, 3), code.slice(3)]
  const written = text
    .replaceAll('{code}', code)
    .replaceAll('{dashed}', `${head}-${tail}`)
    .replaceAll('{spaced}', `${head} ${tail}`)
  return { serviceCode, sender, code, text: written }
}
