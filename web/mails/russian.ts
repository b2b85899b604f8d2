import { DELETION_DAYS, UNKNOWN_DEVICE } from '#contract/account-constants.ts'
import { MAIL_CODE_MINUTES, RESET_LINK_MINUTES } from '#contract/mails.ts'
import { ALARM_SINCE_RU, ALARM_WHY_RU, ALARMS_RU } from '#contract/words/alarms-ru.ts'
import { type Language, momentWords, providerName } from './words.ts'

const CODE_NOTE = `Код действует ${MAIL_CODE_MINUTES} минут. Никому его не сообщайте.`

export const russian: Language = {
  footer: 'Письмо отправлено автоматически, отвечать на него не нужно.',
  plainLink: 'Если кнопка не открывается, скопируйте адрес:',
  words: {
    'verify-email': ({ code }) => ({
      subject: `${code} — код Ringpost`,
      heading: 'Ваш код',
      lead: 'Введите его на сайте, чтобы закончить регистрацию.',
      code,
      note: CODE_NOTE,
      ifNotYou: 'Если вы не регистрировались в Ringpost, удалите это письмо: без кода аккаунт не появится.',
    }),
    'already-registered': (_mail, site) => ({
      subject: 'У вас уже есть аккаунт Ringpost',
      heading: 'У вас уже есть аккаунт',
      lead: 'Кто-то пытался зарегистрироваться в Ringpost с вашим адресом. Второй аккаунт не нужен: просто войдите.',
      action: { label: 'Войти', url: `${site}/?login=1` },
      note: 'Если пароль забыт, в окне входа можно задать новый.',
      ifNotYou: 'Если это были не вы, ничего делать не нужно: в вашем аккаунте ничего не изменилось.',
    }),
    'reset-password': ({ url }) => ({
      subject: 'Новый пароль для Ringpost',
      heading: 'Задайте новый пароль',
      lead: 'Вы попросили сменить пароль. Откройте ссылку и придумайте новый.',
      action: { label: 'Задать пароль', url },
      note: `Ссылка действует ${RESET_LINK_MINUTES} минут и срабатывает один раз. Никому её не пересылайте.`,
      ifNotYou: 'Если вы этого не просили, удалите это письмо: пароль останется прежним.',
    }),
    'password-changed': ({ linked = [], keys = 0, chat }, site) => ({
      subject: 'Пароль Ringpost изменён',
      heading: 'Пароль изменён',
      lead: 'У вашего аккаунта новый пароль. На других устройствах нужно войти заново.',
      ...((linked.length > 0 || keys > 0 || chat !== undefined) && {
        facts: [
          ...(linked.length > 0
            ? [{ label: 'Открывают аккаунт и', value: linked.map((name) => providerName(name, 'ru')).join(', ') }]
            : []),
          ...(keys > 0
            ? [{ label: 'Ключи API, которые ещё действуют', value: String(keys), url: `${site}/settings/api` }]
            : []),
          ...(chat === undefined
            ? []
            : [{ label: 'Чат Telegram, который ещё подключён', value: chat, url: `${site}/settings/notifications` }]),
        ],
        note: 'Не узнаёте? Уберите в настройках: новый пароль этого не закрывает.',
      }),
      action: { label: 'Открыть вход', url: `${site}/?login=1` },
      ifNotYou: 'Если это были не вы, сразу задайте новый пароль: в окне входа выберите, что забыли его.',
    }),
    'link-email': ({ code }) => ({
      subject: `${code} — код Ringpost`,
      heading: 'Код для нового адреса',
      lead: 'Введите его на сайте, чтобы этот адрес стал адресом вашего аккаунта.',
      code,
      note: CODE_NOTE,
      ifNotYou: 'Если вы не меняли адрес в Ringpost, удалите это письмо: без кода ничего не изменится.',
    }),
    'email-changed': ({ newEmail }, site) => ({
      subject: 'Адрес аккаунта Ringpost изменён',
      heading: 'Адрес аккаунта изменён',
      lead: 'Теперь у вашего аккаунта другой адрес. Сюда письма больше приходить не будут.',
      facts: [{ label: 'Новый адрес', value: newEmail }],
      action: { label: 'Открыть Ringpost', url: site },
      ifNotYou: 'Если это были не вы, сразу напишите в поддержку на сайте.',
    }),
    'new-device': ({ device, address, at, timeZone }, site) => ({
      subject: 'Вход в Ringpost с нового устройства',
      heading: 'Вход с нового устройства',
      lead: 'В ваш аккаунт вошли с устройства, которого раньше не было.',
      facts: [
        { label: 'Устройство', value: device === UNKNOWN_DEVICE ? 'не определилось' : device },
        { label: 'IP-адрес', value: address },
        { label: 'Время', value: momentWords(at, 'ru', timeZone) },
      ],
      action: { label: 'Посмотреть устройства', url: `${site}/settings/sessions` },
      ifNotYou: 'Если это были не вы, завершите этот сеанс и смените пароль.',
    }),
    'two-factor-on': (_mail, site) => ({
      subject: 'Двухфакторный вход в Ringpost включён',
      heading: 'Двухфакторный вход включён',
      lead: 'Теперь для входа, кроме пароля, нужен код из приложения.',
      action: { label: 'Открыть настройки', url: `${site}/settings/security` },
      note: 'Храните запасные коды отдельно от телефона: они заменят его, если он потеряется.',
      ifNotYou: 'Если это были не вы, смените пароль и завершите чужие сеансы.',
    }),
    'two-factor-off': (_mail, site) => ({
      subject: 'Двухфакторный вход в Ringpost выключен',
      heading: 'Двухфакторный вход выключен',
      lead: 'Теперь для входа достаточно пароля. Старые запасные коды больше не действуют.',
      action: { label: 'Открыть настройки', url: `${site}/settings/security` },
      ifNotYou: 'Если это были не вы, смените пароль и включите двухфакторный вход снова.',
    }),
    'api-key-made': ({ name, renewed }, site) => ({
      subject: renewed ? 'Ключ API Ringpost заменён' : 'Новый ключ API Ringpost',
      heading: renewed ? 'Ключ API заменён' : 'Создан ключ API',
      lead: renewed
        ? `У ключа API «${name}» теперь новое значение.`
        : `В вашем аккаунте появился ключ API «${name}». Программа с этим ключом действует от вашего имени.`,
      action: { label: 'Открыть ключи', url: `${site}/settings/api` },
      ifNotYou: 'Если это были не вы, отзовите ключ, смените пароль и завершите чужие сеансы.',
    }),
    'api-key-widened': ({ name }, site) => ({
      subject: 'Ключу API Ringpost разрешено больше',
      heading: 'Ключ API изменён',
      lead: `Ключу API «${name}» теперь позволено больше, чем раньше.`,
      action: { label: 'Открыть ключи', url: `${site}/settings/api` },
      ifNotYou: 'Если это были не вы, отзовите ключ, смените пароль и завершите чужие сеансы.',
    }),
    'webhook-made': ({ label, host, moved }, site) => ({
      subject: moved ? 'У вебхука Ringpost новый адрес' : 'Новый вебхук Ringpost',
      heading: moved ? 'Адрес вебхука изменён' : 'Добавлен вебхук',
      lead: moved
        ? `Вебхук «${label}» вашего аккаунта теперь отправляет события на ${host}. Среди них могут быть коды ваших номеров.`
        : `В вашем аккаунте появился вебхук «${label}». Он отправляет события на ${host}, среди них могут быть коды ваших номеров.`,
      action: { label: 'Открыть вебхуки', url: `${site}/settings/api` },
      ifNotYou:
        'Если это были не вы, удалите вебхук, смените пароль, отзовите чужие ключи API и завершите чужие сеансы.',
    }),
    'identity-linked': ({ provider }, site) => {
      const name = providerName(provider, 'ru')
      return {
        subject: `Вход через ${name} добавлен в Ringpost`,
        heading: `Добавлен вход через ${name}`,
        lead: `Теперь в ваш аккаунт можно войти и через ${name}.`,
        action: { label: 'Открыть настройки', url: `${site}/settings` },
        ifNotYou: `Если это были не вы, отвяжите ${name} в настройках и смените пароль.`,
      }
    },
    'identity-unlinked': ({ provider }, site) => {
      const name = providerName(provider, 'ru')
      return {
        subject: `Вход через ${name} убран из Ringpost`,
        heading: `Вход через ${name} убран`,
        lead: `Войти в ваш аккаунт через ${name} больше нельзя.`,
        action: { label: 'Открыть настройки', url: `${site}/settings` },
        ifNotYou: 'Если это были не вы, смените пароль и завершите чужие сеансы.',
      }
    },
    'passkey-added': ({ name }, site) => ({
      subject: 'В Ringpost добавлен ключ доступа',
      heading: 'Добавлен ключ доступа',
      lead: `Теперь в ваш аккаунт можно войти ключом доступа «${name}», без пароля.`,
      action: { label: 'Открыть настройки', url: `${site}/settings/security` },
      ifNotYou: 'Если это были не вы, удалите этот ключ в настройках и смените пароль.',
    }),
    'passkey-removed': ({ name }, site) => ({
      subject: 'Из Ringpost удалён ключ доступа',
      heading: 'Ключ доступа удалён',
      lead: `Войти в ваш аккаунт ключом доступа «${name}» больше нельзя.`,
      action: { label: 'Открыть настройки', url: `${site}/settings/security` },
      ifNotYou: 'Если это были не вы, смените пароль и завершите чужие сеансы.',
    }),
    'recovery-codes-renewed': (_mail, site) => ({
      subject: 'Новые запасные коды Ringpost',
      heading: 'Запасные коды заменены',
      lead: 'Для вашего аккаунта созданы новые запасные коды. Прежние больше не действуют.',
      action: { label: 'Открыть настройки', url: `${site}/settings/security` },
      ifNotYou: 'Если это были не вы, смените пароль и завершите чужие сеансы.',
    }),
    'rental-expiring': ({ phone, until, timeZone }, site) => ({
      subject: `Аренда ${phone} скоро закончится`,
      heading: 'Аренда скоро закончится',
      lead: 'После этого номер отключится, и сообщения на него приходить перестанут. Вернуть его нельзя, продлить пока можно.',
      facts: [
        { label: 'Номер', value: phone },
        { label: 'Работает до', value: momentWords(until, 'ru', timeZone) },
      ],
      action: { label: 'Продлить аренду', url: `${site}/rent` },
      ifNotYou: 'Если вы больше не пользуетесь этим номером, ничего делать не нужно: он отключится сам.',
    }),
    'support-answer': ({ ticket, subject }, site) => ({
      subject: `Ответ поддержки: ${subject}`,
      heading: 'Поддержка ответила',
      lead: 'Ответ ждёт вас в обращении. Если что-то осталось неясным, напишите там же.',
      facts: [{ label: `Обращение ${ticket}`, value: subject }],
      action: { label: 'Прочитать ответ', url: `${site}/support/${ticket}` },
      ifNotYou: 'Если вы не писали в поддержку, в ваш аккаунт мог войти кто-то другой: смените пароль.',
    }),
    notification: ({ title, text, link }, site) => ({
      subject: title,
      heading: title,
      lead: text,
      ...(link !== null && { action: { label: 'Открыть', url: `${site}${link}` } }),
      ifNotYou: `Если вы не хотите таких писем, выключите их в настройках: ${site}/settings/notifications`,
    }),
    'export-ready': ({ until }, site) => ({
      subject: 'Ваши данные из Ringpost готовы',
      heading: 'Файл с вашими данными готов',
      lead: 'Вы попросили всё, что у нас о вас хранится. Войдите и скачайте файл: само письмо ничего не открывает.',
      facts: [{ label: 'Хранится до', value: momentWords(until, 'ru') }],
      action: { label: 'Открыть «Мои данные»', url: `${site}/settings/privacy` },
      ifNotYou: 'Если вы об этом не просили, смените пароль и завершите чужие сеансы.',
    }),
    'deletion-begun': ({ until }, site) => ({
      subject: 'Аккаунт Ringpost будет удалён',
      heading: 'Аккаунт будет удалён',
      lead: `Вы об этом попросили. Ещё ${DELETION_DAYS} дней всё работает как прежде, и аккаунт можно оставить одним нажатием.`,
      facts: [{ label: 'Удалим после', value: momentWords(until, 'ru') }],
      action: { label: 'Оставить аккаунт', url: `${site}/settings/privacy` },
      ifNotYou: 'Если это были не вы, нажмите кнопку, затем смените пароль и завершите чужие сеансы.',
    }),
    'deletion-soon': ({ until }, site) => ({
      subject: 'Завтра аккаунт Ringpost будет удалён',
      heading: 'Остался один день',
      lead: 'Завтра аккаунт удалится, и вернуть его будет нельзя. До этого его ещё можно оставить.',
      facts: [{ label: 'Удалим после', value: momentWords(until, 'ru') }],
      action: { label: 'Оставить аккаунт', url: `${site}/settings/privacy` },
      note: 'Пока открыт номер, платёж или спор или на счёте больше, чем вы согласились отдать, удаление ждёт.',
      ifNotYou: 'Если это были не вы, нажмите кнопку, затем смените пароль и завершите чужие сеансы.',
    }),
    'account-deleted': (_mail, site) => ({
      subject: 'Аккаунт Ringpost удалён',
      heading: 'Аккаунт удалён',
      lead: 'Почты, имени, входов и слов ваших сообщений у нас больше нет. Записи о деньгах остались, но вас не называют. Это последнее письмо.',
      action: { label: 'Что мы храним и зачем', url: `${site}/privacy-policy` },
      ifNotYou: 'Если это были не вы, напишите в поддержку: удалённого не вернуть, но мы выясним, что случилось.',
    }),
    alarm: ({ alarm, about, over, at, since = at, why }) => {
      const words = ALARMS_RU[alarm]
      return {
        subject: `Ringpost: ${over ? words.over : words.begun}${about === '' ? '' : ` (${about})`}`,
        heading: over ? words.over : words.begun,
        lead: over ? 'Тревога снята. Следующее письмо придёт, когда она начнётся снова.' : words.todo,
        facts: [
          ...(about === '' ? [] : [{ label: words.about, value: about }]),
          ...(why == null ? [] : [{ label: ALARM_WHY_RU, value: why }]),
          ...(since === at ? [] : [{ label: ALARM_SINCE_RU, value: momentWords(since, 'ru') }]),
          { label: 'Время', value: momentWords(at, 'ru') },
        ],
        ifNotYou: 'Если вы не ждали этого письма: ваш адрес указан в настройке ALARM_MAIL этого сервиса.',
      }
    },
  },
}
