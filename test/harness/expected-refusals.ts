/** Every refusal that a program may get, word for word. Clients rely on them, so a change would break a promise. */
export const EXPECTED_REFUSALS = {
  ACTIVATION_ENDED: {
    ru: { status: 409, retryAfter: null, message: 'Эта активация уже завершена' },
    en: { status: 409, retryAfter: null, message: 'This activation has already ended' },
  },
  AGAIN_UNAVAILABLE: {
    ru: { status: 409, retryAfter: null, message: 'На этот номер больше нельзя получить код' },
    en: { status: 409, retryAfter: null, message: 'This number can’t receive another code' },
  },
  BAD_COUNTRY: {
    ru: { status: 422, retryAfter: null, message: 'Такой страны нет' },
    en: { status: 422, retryAfter: null, message: 'This country doesn’t exist' },
  },
  BAD_OPERATOR: {
    ru: { status: 422, retryAfter: null, message: 'Такого оператора нет' },
    en: { status: 422, retryAfter: null, message: 'This operator doesn’t exist' },
  },
  BAD_SERVICE: {
    ru: { status: 422, retryAfter: null, message: 'Такого сервиса нет' },
    en: { status: 422, retryAfter: null, message: 'This service doesn’t exist' },
  },
  BLOCKED: {
    ru: { status: 403, retryAfter: null, message: 'Аккаунт заблокирован. Напишите в поддержку' },
    en: { status: 403, retryAfter: null, message: 'This account is blocked. Contact support.' },
  },
  BODY_TOO_LARGE: {
    ru: { status: 413, retryAfter: null, message: 'Запрос слишком большой' },
    en: { status: 413, retryAfter: null, message: 'The request body is too large' },
  },
  BUYING_STOPPED: {
    ru: { status: 503, retryAfter: '60', message: 'Покупка номеров приостановлена' },
    en: { status: 503, retryAfter: '60', message: 'Buying is paused for now' },
  },
  CODE_ALREADY_RECEIVED: {
    ru: { status: 409, retryAfter: null, message: 'Код уже пришёл, поэтому деньги за номер не вернутся' },
    en: { status: 409, retryAfter: null, message: 'A code has already arrived, so we can’t refund you' },
  },
  DATABASE_UNAVAILABLE: {
    ru: { status: 503, retryAfter: '2', message: 'Сервис ненадолго стал недоступен. Попробуйте ещё раз' },
    en: { status: 503, retryAfter: '2', message: 'The service is briefly unavailable. Try again.' },
  },
  EARLY_CANCEL_DENIED: {
    ru: { status: 409, retryAfter: '120', message: 'Отменить номер можно будет через 120 с', data: { seconds: 120 } },
    en: { status: 409, retryAfter: '120', message: 'You can cancel this number in 120 s', data: { seconds: 120 } },
  },
  EXTEND_UNAVAILABLE: {
    ru: { status: 409, retryAfter: null, message: 'Эту аренду продлить нельзя. Деньги не списаны' },
    en: { status: 409, retryAfter: null, message: 'You can’t extend this rental. You weren’t charged.' },
  },
  FORBIDDEN: {
    ru: { status: 403, retryAfter: null, message: 'У вас нет доступа к этому действию' },
    en: { status: 403, retryAfter: null, message: 'You don’t have permission to do this' },
  },
  IDEMPOTENCY_CONFLICT: {
    ru: { status: 409, retryAfter: null, message: 'С этим ключом идемпотентности уже отправлен другой запрос' },
    en: { status: 409, retryAfter: null, message: 'You’ve already used this idempotency key for another request' },
  },
  INVALID_INPUT: {
    ru: {
      status: 422,
      retryAfter: null,
      message: 'Проверьте введённые данные',
      errors: {
        service_id: ['Заполните это поле'],
        country_id: ['Не меньше 0'],
        operator_id: ['Недопустимое значение'],
      },
    },
    en: {
      status: 422,
      retryAfter: null,
      message: 'Check what you entered',
      errors: {
        service_id: ['This field is required'],
        country_id: ['Must be at least 0'],
        operator_id: ['This value isn’t valid'],
      },
    },
  },
  IN_PROGRESS: {
    ru: { status: 409, retryAfter: null, message: 'Этот запрос ещё выполняется, повторите его чуть позже' },
    en: { status: 409, retryAfter: null, message: 'This request is still in progress. Try again in a moment.' },
  },
  MAINTENANCE: {
    ru: { status: 503, retryAfter: '60', message: 'Вернёмся в полдень. Back at noon.' },
    en: { status: 503, retryAfter: '60', message: 'Вернёмся в полдень. Back at noon.' },
  },
  MALFORMED_BODY: {
    ru: { status: 400, retryAfter: null, message: 'Запрос не удалось разобрать' },
    en: { status: 400, retryAfter: null, message: 'We couldn’t read this request' },
  },
  MAX_PRICE_TOO_LOW: {
    ru: { status: 422, retryAfter: null, message: 'Самая низкая цена — 13.00', data: { lowest: '13.00' } },
    en: { status: 422, retryAfter: null, message: 'The lowest available price is 13.00', data: { lowest: '13.00' } },
  },
  NOT_FOUND: {
    ru: { status: 404, retryAfter: null, message: 'Не найдено' },
    en: { status: 404, retryAfter: null, message: 'Not found' },
  },
  NO_BALANCE: {
    ru: {
      status: 409,
      retryAfter: null,
      message: 'На балансе не хватает денег',
      data: { price: '13.00', missing: '12.50' },
    },
    en: {
      status: 409,
      retryAfter: null,
      message: 'Your balance is too low',
      data: { price: '13.00', missing: '12.50' },
    },
  },
  NO_CODE_YET: {
    ru: { status: 409, retryAfter: null, message: 'Код ещё не пришёл' },
    en: { status: 409, retryAfter: null, message: 'No code has arrived yet' },
  },
  NO_NOTICE: {
    ru: { status: 409, retryAfter: null, message: 'Уведомлений без кода не было, читать нечего' },
    en: { status: 409, retryAfter: null, message: 'There’s no notice to open yet' },
  },
  NO_NUMBERS: {
    ru: { status: 409, retryAfter: null, message: 'Свободных номеров сейчас нет' },
    en: { status: 409, retryAfter: null, message: 'There are no numbers right now' },
  },
  PAIR_PAUSED: {
    ru: {
      status: 409,
      retryAfter: '1800',
      message:
        'По вашим покупкам пришло слишком мало кодов. Купить номер для этого сервиса в этой стране можно через 30 мин',
      data: { until: '2026-03-01T12:30:00.000Z' },
    },
    en: {
      status: 409,
      retryAfter: '1800',
      message:
        'Too few of your purchases received a code, so you can’t buy this service in this country for another 30 min',
      data: { until: '2026-03-01T12:30:00.000Z' },
    },
  },
  PREORDER_ENDED: {
    ru: { status: 409, retryAfter: null, message: 'Этот предзаказ уже закончился' },
    en: { status: 409, retryAfter: null, message: 'This pre-order has already ended' },
  },
  PRICE_CHANGED: {
    ru: {
      status: 409,
      retryAfter: null,
      message: 'Цена изменилась, деньги не списаны. Проверьте новую цену',
      data: { price: '13.00' },
    },
    en: {
      status: 409,
      retryAfter: null,
      message: 'The price has changed. You weren’t charged. Check the new price.',
      data: { price: '13.00' },
    },
  },
  RENT_CANCEL_DENIED: {
    ru: {
      status: 409,
      retryAfter: null,
      message: 'Отменить аренду можно в первые 20 минут, до первого сообщения и до продления',
    },
    en: {
      status: 409,
      retryAfter: null,
      message:
        'You can only cancel a rental within its first 20 minutes, before its first message and before you extend it',
    },
  },
  REPEAT_UNAVAILABLE: {
    ru: { status: 409, retryAfter: null, message: 'Этот номер нельзя купить ещё раз. Деньги не списаны' },
    en: { status: 409, retryAfter: null, message: 'You can’t buy this number again. You weren’t charged.' },
  },
  SERVER_ERROR: {
    ru: { status: 500, retryAfter: null, message: 'Ошибка сервера, попробуйте позже' },
    en: { status: 500, retryAfter: null, message: 'Server error. Try again later.' },
  },
  SPEND_LIMIT_REACHED: {
    ru: {
      status: 409,
      retryAfter: null,
      message: 'С этой покупкой вы потратите больше суточного лимита',
      data: { limit: '12.50', spent: '0.00' },
    },
    en: {
      status: 409,
      retryAfter: null,
      message: 'This purchase would exceed your account’s spending limit for 24 hours',
      data: { limit: '12.50', spent: '0.00' },
    },
  },
  TOO_MANY_OPEN_NUMBERS: {
    ru: {
      status: 409,
      retryAfter: null,
      message: 'Открытых номеров может быть не больше 0. Завершите или отмените часть из них',
      data: { limit: 0 },
    },
    en: {
      status: 409,
      retryAfter: null,
      message: 'You can have up to 0 open numbers. To buy another, cancel a number you don’t need, or mark it as done.',
      data: { limit: 0 },
    },
  },
  TOO_MANY_PREORDERS: {
    ru: {
      status: 409,
      retryAfter: null,
      message: 'Открытых предзаказов может быть не больше 20. Отмените часть из них',
      data: { limit: 20 },
    },
    en: {
      status: 409,
      retryAfter: null,
      message: 'You can have up to 20 open pre-orders. Cancel a pre-order you no longer need.',
      data: { limit: 20 },
    },
  },
  TOO_MANY_REQUESTS: {
    ru: { status: 429, retryAfter: '1', message: 'Слишком много запросов. Повторите через 1 с' },
    en: { status: 429, retryAfter: '1', message: 'Too many requests. Try again in 1 s.' },
  },
  UNAUTHENTICATED: {
    ru: { status: 401, retryAfter: null, message: 'Войдите, чтобы продолжить' },
    en: { status: 401, retryAfter: null, message: 'Log in to continue' },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    ru: { status: 415, retryAfter: null, message: 'Такой тип содержимого не поддерживается' },
    en: { status: 415, retryAfter: null, message: 'We don’t accept this content type' },
  },
  WRONG_CREDENTIALS: {
    ru: { status: 422, retryAfter: null, message: 'Неверная почта или пароль' },
    en: { status: 422, retryAfter: null, message: 'Wrong e-mail or password' },
  },
}
