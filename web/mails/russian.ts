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
      lead: 'Введите его на сайте, чтобы завершить регистрацию.',
      code,
      note: CODE_NOTE,
      ifNotYou: 'Если вы не регистрировались в Ringpost, просто удалите это письмо: без кода аккаунт не появится.',
    }),
    'already-registered': (_mail, site) => ({
      subject: 'У вас уже есть аккаунт Ringpost',
      heading: 'У вас уже есть аккаунт',
      lead: 'Кто-то пытался зарегистрироваться в Ringpost с вашим адресом. Если это были вы, второй аккаунт не нужен: просто войдите.',
      action: { label: 'Войти', url: `${site}/?login=1` },
      note: 'Если забыли пароль, задайте новый в окне входа.',
      ifNotYou: 'Если это были не вы, ничего делать не нужно: в вашем аккаунте ничего не изменилось.',
    }),
    'reset-password': ({ url }) => ({
      subject: 'Новый пароль для Ringpost',
      heading: 'Задайте новый пароль',
      lead: 'Вы попросили сменить пароль. Откройте ссылку и придумайте новый.',
      action: { label: 'Задать пароль', url },
      note: `Ссылка действует ${RESET_LINK_MINUTES} минут и сработает один раз. Никому её не пересылайте.`,
      ifNotYou: 'Если вы об этом не просили, просто удалите письмо: пароль останется прежним.',
    }),
    'password-changed': ({ linked = [], keys = 0, chat }, site) => ({
      subject: 'Пароль Ringpost изменён',
      heading: 'Пароль изменён',
      lead: 'Вы задали новый пароль, поэтому на других устройствах нужно войти заново.',
      ...((linked.length > 0 || keys > 0 || chat !== undefined) && {
        facts: [
          ...(linked.length > 0
            ? [{ label: 'Войти можно и через', value: linked.map((name) => providerName(name, 'ru')).join(', ') }]
            : []),
          ...(keys > 0 ? [{ label: 'Действующих ключей API', value: String(keys), url: `${site}/settings/api` }] : []),
          ...(chat === undefined
            ? []
            : [{ label: 'Подключён чат Telegram', value: chat, url: `${site}/settings/notifications` }]),
        ],
        note: 'Если что-то из этого добавили не вы, отключите в настройках: смена пароля этого не отключает.',
      }),
      action: { label: 'Войти в аккаунт', url: `${site}/?login=1` },
      ifNotYou: 'Если это были не вы, сразу задайте новый пароль: в окне входа нажмите «Забыли пароль?».',
    }),
    'link-email': ({ code }) => ({
      subject: `${code} — код Ringpost`,
      heading: 'Код для нового адреса',
      lead: 'Введите код на сайте, чтобы привязать этот адрес к аккаунту.',
      code,
      note: CODE_NOTE,
      ifNotYou: 'Если вы не меняли адрес в Ringpost, просто удалите это письмо: без кода ничего не изменится.',
    }),
    'email-changed': ({ newEmail }, site) => ({
      subject: 'Адрес аккаунта Ringpost изменён',
      heading: 'Адрес аккаунта изменён',
      lead: 'Теперь к аккаунту привязан другой адрес, а на этот мы больше писать не будем.',
      facts: [{ label: 'Новый адрес', value: newEmail }],
      action: { label: 'Открыть Ringpost', url: site },
      ifNotYou: 'Если это были не вы, сразу напишите в поддержку на сайте.',
    }),
    'new-device': ({ device, address, at, timeZone }, site) => ({
      subject: 'Вход в Ringpost с нового устройства',
      heading: 'Вход с нового устройства',
      lead: 'В ваш аккаунт вошли с нового устройства.',
      facts: [
        { label: 'Устройство', value: device === UNKNOWN_DEVICE ? 'неизвестное' : device },
        { label: 'IP-адрес', value: address },
        { label: 'Время', value: momentWords(at, 'ru', timeZone) },
      ],
      action: { label: 'Посмотреть устройства', url: `${site}/settings/sessions` },
      ifNotYou: 'Если это были не вы, завершите этот сеанс и смените пароль.',
    }),
    'two-factor-on': (_mail, site) => ({
      subject: 'Двухфакторная защита в Ringpost включена',
      heading: 'Двухфакторная защита включена',
      lead: 'Теперь для входа, кроме пароля, нужен код из приложения.',
      action: { label: 'Открыть настройки', url: `${site}/settings/security` },
      note: 'Храните коды восстановления отдельно от телефона: если потеряете телефон, сможете войти с кодом восстановления.',
      ifNotYou: 'Если это были не вы, смените пароль и завершите чужие сеансы.',
    }),
    'two-factor-off': (_mail, site) => ({
      subject: 'Двухфакторная защита в Ringpost выключена',
      heading: 'Двухфакторная защита выключена',
      lead: 'Теперь для входа нужен только пароль. Коды восстановления больше не действуют.',
      action: { label: 'Открыть настройки', url: `${site}/settings/security` },
      ifNotYou: 'Если это были не вы, смените пароль и снова включите двухфакторную защиту.',
    }),
    'api-key-made': ({ name, renewed }, site) => ({
      subject: renewed ? 'Ключ API Ringpost заменён' : 'Новый ключ API Ringpost',
      heading: renewed ? 'Ключ API заменён' : 'Создан ключ API',
      lead: renewed
        ? `Вместо ключа API «${name}» появился новый с тем же названием.`
        : `В вашем аккаунте появился ключ API «${name}». Программа с этим ключом действует от вашего имени.`,
      action: { label: 'Открыть ключи', url: `${site}/settings/api` },
      ifNotYou: 'Если это были не вы, отзовите ключ, смените пароль и завершите чужие сеансы.',
    }),
    'api-key-widened': ({ name }, site) => ({
      subject: 'Права ключа API Ringpost расширены',
      heading: 'Права ключа API расширены',
      lead: `Ключ API «${name}» получил новые права.`,
      action: { label: 'Открыть ключи', url: `${site}/settings/api` },
      ifNotYou: 'Если это были не вы, отзовите ключ, смените пароль и завершите чужие сеансы.',
    }),
    'webhook-made': ({ label, host, moved }, site) => ({
      subject: moved ? 'У вебхука Ringpost новый адрес' : 'Новый вебхук Ringpost',
      heading: moved ? 'Адрес вебхука изменён' : 'Добавлен вебхук',
      lead: moved
        ? `Теперь события вебхука «${label}» мы отправляем на ${host}. Среди них могут быть коды с ваших номеров.`
        : `В вашем аккаунте появился вебхук «${label}». События мы отправляем на ${host}. Среди них могут быть коды с ваших номеров.`,
      action: { label: 'Открыть вебхуки', url: `${site}/settings/api` },
      ifNotYou:
        'Если это были не вы, удалите вебхук, смените пароль, отзовите чужие ключи API и завершите чужие сеансы.',
    }),
    'identity-linked': ({ provider }, site) => {
      const name = providerName(provider, 'ru')
      return {
        subject: `Вход через ${name} добавлен в Ringpost`,
        heading: `Добавлен вход через ${name}`,
        lead: `Теперь в ваш аккаунт можно войти через ${name}.`,
        action: { label: 'Открыть настройки', url: `${site}/settings` },
        ifNotYou: `Если это были не вы, отвяжите ${name} в настройках и смените пароль.`,
      }
    },
    'identity-unlinked': ({ provider }, site) => {
      const name = providerName(provider, 'ru')
      return {
        subject: `Вход через ${name} в Ringpost отключён`,
        heading: `Вход через ${name} отключён`,
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
      subject: 'Новые коды восстановления Ringpost',
      heading: 'Коды восстановления заменены',
      lead: 'У вашего аккаунта новые коды восстановления, старые больше не действуют.',
      action: { label: 'Открыть настройки', url: `${site}/settings/security` },
      ifNotYou: 'Если это были не вы, смените пароль и завершите чужие сеансы.',
    }),
    'rental-expiring': ({ phone, until, timeZone }, site) => ({
      subject: `Аренда ${phone} скоро закончится`,
      heading: 'Аренда скоро закончится',
      lead: 'Когда срок выйдет, номер отключится и перестанет принимать сообщения. Вернуть его будет нельзя, но пока аренду ещё можно продлить.',
      facts: [
        { label: 'Номер', value: phone },
        { label: 'Работает до', value: momentWords(until, 'ru', timeZone) },
      ],
      action: { label: 'Продлить аренду', url: `${site}/rent` },
      ifNotYou: 'Если вы больше не пользуетесь этим номером, ничего делать не нужно: он отключится автоматически.',
    }),
    'support-answer': ({ ticket, subject }, site) => ({
      subject: `Ответ поддержки: ${subject}`,
      heading: 'Поддержка ответила',
      lead: 'Прочитайте ответ в обращении. Если остались вопросы, напишите там же.',
      facts: [{ label: `Обращение ${ticket}`, value: subject }],
      action: { label: 'Прочитать ответ', url: `${site}/support/${ticket}` },
      ifNotYou: 'Если вы не писали в поддержку, смените пароль: в ваш аккаунт мог войти кто-то другой.',
    }),
    notification: ({ title, text, link }, site) => ({
      subject: title,
      heading: title,
      lead: text,
      ...(link !== null && { action: { label: 'Открыть', url: `${site}${link}` } }),
      ifNotYou: `Если вы не хотите получать такие письма, отключите их в настройках: ${site}/settings/notifications`,
    }),
    'export-ready': ({ until }, site) => ({
      subject: 'Ваши данные из Ringpost готовы',
      heading: 'Файл с вашими данными готов',
      lead: 'Вы запросили все данные, которые мы о вас храним. Войдите в аккаунт и скачайте файл.',
      facts: [{ label: 'Файл хранится до', value: momentWords(until, 'ru') }],
      action: { label: 'Открыть «Мои данные»', url: `${site}/settings/privacy` },
      ifNotYou: 'Если вы об этом не просили, смените пароль и завершите чужие сеансы.',
    }),
    'deletion-begun': ({ until }, site) => ({
      subject: 'Аккаунт Ringpost будет удалён',
      heading: 'Аккаунт будет удалён',
      lead: `Вы запросили удаление. Ещё ${DELETION_DAYS} дней аккаунт будет работать как обычно, и удаление можно отменить одним нажатием.`,
      facts: [{ label: 'Удалим аккаунт после', value: momentWords(until, 'ru') }],
      action: { label: 'Оставить аккаунт', url: `${site}/settings/privacy` },
      ifNotYou: 'Если это были не вы, нажмите «Оставить аккаунт», затем смените пароль и завершите чужие сеансы.',
    }),
    'deletion-soon': ({ until }, site) => ({
      subject: 'Завтра аккаунт Ringpost будет удалён',
      heading: 'Остался один день',
      lead: 'Завтра мы удалим ваш аккаунт, и восстановить его будет нельзя. Сейчас удаление ещё можно отменить.',
      facts: [{ label: 'Удалим аккаунт после', value: momentWords(until, 'ru') }],
      action: { label: 'Оставить аккаунт', url: `${site}/settings/privacy` },
      note: 'Если у вас останется открытый номер, платёж или спор, мы подождём с удалением. Подождём и в том случае, если денег на балансе окажется больше, чем вы согласились потерять.',
      ifNotYou: 'Если это были не вы, нажмите «Оставить аккаунт», затем смените пароль и завершите чужие сеансы.',
    }),
    'account-deleted': (_mail, site) => ({
      subject: 'Аккаунт Ringpost удалён',
      heading: 'Аккаунт удалён',
      lead: 'Мы стёрли вашу почту, имя, способы входа и тексты сообщений. Записи о деньгах остались, но без вашего имени. Это наше последнее письмо.',
      action: { label: 'Что мы храним и зачем', url: `${site}/privacy-policy` },
      ifNotYou: 'Если это были не вы, напишите в поддержку: восстановить данные нельзя, но мы выясним, что случилось.',
    }),
    alarm: ({ alarm, about, over, at, since = at, why }) => {
      const words = ALARMS_RU[alarm]
      return {
        subject: `Ringpost: ${over ? words.over : words.begun}${about === '' ? '' : ` (${about})`}`,
        heading: over ? words.over : words.begun,
        lead: over ? 'Всё снова в порядке. Если сбой повторится, пришлём ещё одно письмо.' : words.todo,
        facts: [
          ...(about === '' ? [] : [{ label: words.about, value: about }]),
          ...(why == null ? [] : [{ label: ALARM_WHY_RU, value: why }]),
          ...(since === at ? [] : [{ label: ALARM_SINCE_RU, value: momentWords(since, 'ru') }]),
          { label: 'Время', value: momentWords(at, 'ru') },
        ],
        ifNotYou: 'Если вы не ждали этого письма, проверьте настройку ALARM_MAIL сервиса: в ней указан ваш адрес.',
      }
    },
  },
}
