export interface Error {
  status: false;
  code: string;
  message: string;
  errors?: Record<string, string[]>;
  data?: object;
}

export interface Activation {
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  id: number;
  state:
    | "reserving"
    | "waiting"
    | "received"
    | "waiting_again"
    | "finished"
    | "cancelled"
    | "expired"
    | "used"
    | "failed";
  final: boolean;
  service: {
    id: string;
    name: string;
  };
  country: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    name: string;
    iso2: string;
    dial: string;
  };
  operator: string | null;
  phone: string | null;
  price: string;
  currency: "rub" | "usd";
  money: "held" | "captured" | "released";
  refunded?: string;
  code: string | null;
  messages: Message[];
  /**
   * @min 1
   * @max 9007199254740991
   */
  folded?: number;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  created_at: string;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  expires_at: string;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  cancel_from: string;
  can_repeat: boolean;
  sandbox?: true;
}

export interface Message {
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  id: number;
  sender: string;
  text: string;
  code: string | null;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  received_at: string;
  late?: true;
  withheld?: true;
  notice?: true;
}

export interface Rental {
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  id: number;
  state:
    | "reserving"
    | "active"
    | "finished"
    | "expired"
    | "cancelled"
    | "revoked"
    | "failed";
  final: boolean;
  service: {
    id: string;
    name: string;
  };
  country: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    name: string;
    iso2: string;
    dial: string;
  };
  operator: string | null;
  phone: string | null;
  price: string;
  currency: "rub" | "usd";
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  hours: number;
  money: "held" | "captured" | "released";
  refunded?: string;
  code: string | null;
  messages: Message[];
  /**
   * @min 1
   * @max 9007199254740991
   */
  folded?: number;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  messages_count: number;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  created_at: string;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  expired_date: string;
  cancel_until: string | null;
  expiring: boolean;
  sandbox?: true;
}

export interface Preorder {
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  id: number;
  state: "waiting" | "buying" | "bought" | "cancelled" | "expired" | "failed";
  final: boolean;
  service: {
    id: string;
    name: string;
  };
  country: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    name: string;
    iso2: string;
    dial: string;
  };
  operator: string | null;
  max_price: string;
  currency: "rub" | "usd";
  activation_id: number | null;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  created_at: string;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  deadline_at: string;
}

export interface Payment {
  transaction_id: string;
  system: string;
  name: string;
  mark: string;
  form: "redirect" | "transfer" | "instructions" | "voucher" | "instant";
  state:
    | "created"
    | "pending"
    | "confirming"
    | "paid"
    | "partial"
    | "expired"
    | "failed"
    | "refunded"
    | "disputed";
  closed: boolean;
  dispute: "open" | "lost" | "won" | null;
  sum: string;
  currency: "rub" | "usd";
  fee: string;
  bonus: string;
  credited: string;
  received: string;
  refunded: string;
  redirect_url: string | null;
  address: string | null;
  amount: string;
  asset: string | null;
  network: string | null;
  qrCode: string | null;
  wallet_url: string | null;
  instructions: {
    reference: string;
    text: string;
    rows: {
      label: string;
      value: string;
    }[];
  } | null;
  confirmations: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    seen: number;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    needed: number;
  } | null;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  created_at: string;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  expired_at: string;
  paid_at: string | null;
}

export interface HistoryItem {
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  id: number;
  mode: "activation" | "rent";
  state:
    | "reserving"
    | "waiting"
    | "received"
    | "waiting_again"
    | "finished"
    | "cancelled"
    | "expired"
    | "used"
    | "failed"
    | "active"
    | "revoked";
  outcome: "active" | "received" | "returned";
  service: {
    id: string;
    name: string;
  };
  country: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    name: string;
    iso2: string;
    dial: string;
  };
  operator: string | null;
  phone: string | null;
  price: string;
  paid: string;
  refunded: string | null;
  money: "held" | "captured" | "released";
  currency: "rub" | "usd";
  hours: number | null;
  code: string | null;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  messages_count: number;
  can_repeat: boolean;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  created_at: string;
  ended_at: string | null;
}

export interface Movement {
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  id: number;
  kind:
    | "hold"
    | "release"
    | "refund"
    | "credit"
    | "debit"
    | "topup"
    | "fee"
    | "bonus"
    | "voucher"
    | "payment_refund"
    | "payment_refund_failed"
    | "dispute"
    | "dispute_won"
    | "bonus_back"
    | "fee_back"
    | "debt"
    | "repayment"
    | "rounding"
    | "referral_withdrawal"
    | "referral_recall"
    | "loyalty"
    | "loyalty_back"
    | "channel_reward"
    | "forfeit"
    | "sandbox_credit";
  amount: string;
  balance: string;
  currency: "rub" | "usd";
  subject: {
    purpose: "activation" | "rental" | "extension" | "preorder";
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    money: "held" | "captured" | "released";
    service: {
      id: string;
      name: string;
    };
    country: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      id: number;
      name: string;
      iso2: string;
      dial: string;
    };
  } | null;
  payment: {
    transaction_id: string;
    name: string;
  } | null;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  at: string;
}

export interface UserGetData {
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  id: number;
  email: string;
  name: string;
  role: "user" | "support" | "operator";
  balance: string;
  held: string;
  debt: string;
  currency: "rub" | "usd";
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  created_at: string;
  blocked?: true;
  /**
   * @format date-time
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
   */
  deletion_at?: string;
  guest?: true;
  documents_changed?: true;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  notifications_count: number;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  open_payments: number;
  activations: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    count: number;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    rent_count: number;
  };
  settings: {
    copying_code: boolean;
    confirmation_actions: boolean;
    sound_new_sms: boolean;
    sound: "bell" | "drop" | "wood";
    /**
     * @min 0
     * @max 100
     */
    volume: number;
    locale: "ru" | "en" | "es" | "zh";
    time_zone: string | null;
    default_service_id: string | null;
    default_country_id: number | null;
    remember_choice: boolean;
    last_service_id: string | null;
    last_country_id: number | null;
    max_price: string | null;
  };
  sandbox?: true;
}

export interface ServicesGetParams {
  /**
   * @min 0
   * @max 1000
   */
  version?: number;
  load?: "all";
  /** @maxLength 100 */
  search?: string;
  is_favorite?: "0" | "1";
  /**
   * @min 1
   * @max 10000
   */
  page?: number;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
  /**
   * @min 0
   * @max 1000000
   */
  country_id?: number;
}

export interface ServicesGetData {
  status: true;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  count: number;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  favorites: number;
  services: {
    price: string | null;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    count: number;
    success_share: number | null;
    median_seconds: number | null;
    id: string;
    name: string;
    also?: string[];
    is_favorite: boolean;
  }[];
}

export interface CountriesGetParams {
  /**
   * @min 0
   * @max 1000
   */
  version?: number;
  load?: "all";
  /** @maxLength 100 */
  search?: string;
  is_favorite?: "0" | "1";
  /**
   * @min 1
   * @max 10000
   */
  page?: number;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
  /** @maxLength 40 */
  service_id?: string;
  sort?: "popular" | "price" | "stock" | "success" | "name";
}

export interface CountriesGetData {
  status: true;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  count: number;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  favorites: number;
  countries: {
    price: string | null;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    count: number;
    success_share: number | null;
    median_seconds: number | null;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    name: string;
    also?: string[];
    iso2: string;
    dial: string;
    is_favorite: boolean;
  }[];
}

export interface PriceGetParams {
  /**
   * @minLength 1
   * @maxLength 40
   */
  service_id: string;
  /**
   * @min 0
   * @max 1000000
   */
  country_id: number;
  /** @maxLength 60 */
  operator_id?: string;
}

export interface PriceGetData {
  status: true;
  data: {
    operators: {
      price: string | null;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      count: number;
      success_share: number | null;
      median_seconds: number | null;
      id: string;
      name: string;
      p90_seconds: number | null;
    }[];
    price: string | null;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    count: number;
    currency: "rub" | "usd";
  };
}

export interface RentServicesGetParams {
  /**
   * @min 0
   * @max 1000
   */
  version?: number;
  load?: "all";
  /** @maxLength 100 */
  search?: string;
  is_favorite?: "0" | "1";
  /**
   * @min 1
   * @max 10000
   */
  page?: number;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
  /**
   * @min 0
   * @max 1000000
   */
  country_id?: number;
  period?: 4 | 24 | 72 | 168 | 336 | 720 | 1440;
}

export interface RentServicesGetData {
  status: true;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  count: number;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  favorites: number;
  services: {
    price: string | null;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    count: number;
    success_share: number | null;
    median_seconds: number | null;
    id: string;
    name: string;
    also?: string[];
    is_favorite: boolean;
  }[];
}

export interface RentCountriesGetParams {
  /**
   * @min 0
   * @max 1000
   */
  version?: number;
  load?: "all";
  /** @maxLength 100 */
  search?: string;
  is_favorite?: "0" | "1";
  /**
   * @min 1
   * @max 10000
   */
  page?: number;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
  /** @maxLength 40 */
  service_id?: string;
  sort?: "popular" | "price" | "stock" | "success" | "name";
  period?: 4 | 24 | 72 | 168 | 336 | 720 | 1440;
}

export interface RentCountriesGetData {
  status: true;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  count: number;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  favorites: number;
  countries: {
    price: string | null;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    count: number;
    success_share: number | null;
    median_seconds: number | null;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    name: string;
    also?: string[];
    iso2: string;
    dial: string;
    is_favorite: boolean;
  }[];
}

export interface RentPriceGetParams {
  /**
   * @minLength 1
   * @maxLength 40
   */
  service_id: string;
  /**
   * @min 0
   * @max 1000000
   */
  country_id: number;
  period?: 4 | 24 | 72 | 168 | 336 | 720 | 1440;
  /** @maxLength 60 */
  operator_id?: string;
}

export interface RentPriceGetData {
  status: true;
  data: {
    operators: {
      price: string | null;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      count: number;
      success_share: number | null;
      median_seconds: number | null;
      id: string;
      name: string;
      p90_seconds: number | null;
    }[];
    price: string | null;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    count: number;
    currency: "rub" | "usd";
    periods: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      period: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      count: number;
      price: string | null;
    }[];
  };
}

export interface UserGetActiveNumbersParams {
  /** @maxLength 100 */
  search?: string;
  /**
   * @min 1
   * @max 10000
   */
  page?: number;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
  /** @maxItems 100 */
  services_ids?: string[];
  /** @maxItems 100 */
  countries_ids?: number[];
  /** @default "newest" */
  sort?: "newest" | "oldest" | "expiring";
}

export interface UserGetActiveNumbersData {
  status: true;
  numbers: {
    data: Activation[];
    meta: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      last_page: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      total: number;
    };
  };
  antifraud: {
    service_id: string;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    country_id: number;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    until: string;
  }[];
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  total_count: number;
}

export interface ActivationsCreatePayload {
  /**
   * @minLength 1
   * @maxLength 40
   */
  service_id: string;
  /**
   * @min 0
   * @max 1000000
   */
  country_id: number;
  /**
   * @minLength 1
   * @maxLength 60
   */
  operator_id?: string;
  /** @maxLength 20 */
  price?: string;
  /** @maxLength 20 */
  max_price?: string;
}

export interface ActivationsCreateData {
  status: true;
  data: Activation;
}

export interface ActivationsCreateBulkPayload {
  /**
   * @maxItems 50
   * @minItems 1
   */
  items: {
    /**
     * @minLength 1
     * @maxLength 40
     */
    service_id: string;
    /**
     * @min 0
     * @max 1000000
     */
    country_id: number;
    /**
     * @minLength 1
     * @maxLength 60
     */
    operator_id?: string;
    /** @maxLength 20 */
    price?: string;
    /** @maxLength 20 */
    max_price?: string;
  }[];
}

export interface ActivationsCreateBulkData {
  status: true;
  data: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    bought: number;
    items: (
      | {
          status: true;
          data: Activation;
        }
      | {
          status: false;
          code: string;
          message: string;
          errors?: Partial<Record<string, string[]>>;
          data?: Partial<Record<string, any>>;
        }
    )[];
  };
}

export interface ActivationsGetByIdParams {
  /**
   * @min 0
   * @max 30
   */
  wait?: number;
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface ActivationsGetByIdData {
  status: true;
  data: Activation;
}

export interface ActivationsCancelParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface ActivationsCancelData {
  status: true;
  data: Activation;
}

export interface ActivationsAgainParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface ActivationsAgainData {
  status: true;
  data: Activation;
}

export interface ActivationsFinishParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface ActivationsFinishData {
  status: true;
  data: Activation;
}

export interface ActivationsUsedParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface ActivationsUsedData {
  status: true;
  data: Activation;
}

export interface ActivationsOpenParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface ActivationsOpenData {
  status: true;
  data: Activation;
}

export interface ActivationsNotMyCodeParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface ActivationsNotMyCodeData {
  status: true;
  data: Activation;
}

export interface ActivationsReplacePayload {
  /** @maxLength 20 */
  price?: string;
}

export interface ActivationsReplaceParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface ActivationsReplaceData {
  status: true;
  data: Activation;
}

export interface ActivationsRepeatPayload {
  /** @maxLength 20 */
  price?: string;
}

export interface ActivationsRepeatParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface ActivationsRepeatData {
  status: true;
  data: Activation;
}

export interface UserGetActiveRentNumbersParams {
  /** @maxLength 100 */
  search?: string;
  /**
   * @min 1
   * @max 10000
   */
  page?: number;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
  /** @maxItems 100 */
  services_ids?: string[];
  /** @maxItems 100 */
  countries_ids?: number[];
  /** @default "newest" */
  sort?: "newest" | "oldest" | "expiring";
  ended?: "1";
}

export interface UserGetActiveRentNumbersData {
  status: true;
  numbers: {
    data: Rental[];
    meta: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      last_page: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      total: number;
    };
  };
  antifraud: {
    service_id: string;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    country_id: number;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    until: string;
  }[];
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  total_count: number;
}

export interface RentalsCreatePayload {
  /**
   * @minLength 1
   * @maxLength 40
   */
  service_id: string;
  /**
   * @min 0
   * @max 1000000
   */
  country_id: number;
  period: 4 | 24 | 72 | 168 | 336 | 720 | 1440;
  /**
   * @minLength 1
   * @maxLength 60
   */
  operator_id?: string;
  /** @maxLength 20 */
  price?: string;
}

export interface RentalsCreateData {
  status: true;
  data: Rental;
}

export interface RentalsGetByIdParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface RentalsGetByIdData {
  status: true;
  data: Rental;
}

export interface RentalsCancelParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface RentalsCancelData {
  status: true;
  data: Rental;
}

export interface RentalsFinishParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface RentalsFinishData {
  status: true;
  data: Rental;
}

export interface RentalsGetExtensionsParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface RentalsGetExtensionsData {
  status: true;
  data: {
    currency: "rub" | "usd";
    periods: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      period: number;
      price: string;
      /**
       * @format date-time
       * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
       */
      until: string;
    }[];
  };
}

export interface RentalsExtendPayload {
  period: 4 | 24 | 72 | 168 | 336 | 720 | 1440;
  /** @maxLength 20 */
  price?: string;
}

export interface RentalsExtendParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface RentalsExtendData {
  status: true;
  data: Rental;
}

export interface PreordersCreatePayload {
  /**
   * @minLength 1
   * @maxLength 40
   */
  service_id: string;
  /**
   * @min 0
   * @max 1000000
   */
  country_id: number;
  /**
   * @minLength 1
   * @maxLength 60
   */
  operator_id?: string;
  /** @maxLength 20 */
  max_price: string;
  hours: 1 | 6 | 24 | 72 | 168;
}

export interface PreordersCreateData {
  status: true;
  data: Preorder;
}

export interface PreordersGetData {
  status: true;
  data: Preorder[];
}

export interface PreordersGetLastSaleParams {
  /**
   * @minLength 1
   * @maxLength 40
   */
  service_id: string;
  /**
   * @min 0
   * @max 1000000
   */
  country_id: number;
  /**
   * @minLength 1
   * @maxLength 60
   */
  operator_id?: string;
}

export interface PreordersGetLastSaleData {
  status: true;
  data: {
    price: string;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    at: string;
  } | null;
}

export interface PreordersCancelParams {
  /**
   * @min 1
   * @max 9007199254740991
   */
  id: number;
}

export interface PreordersCancelData {
  status: true;
  data: Preorder;
}

export interface UserGetLatestPurchasesData {
  status: true;
  data: {
    service: {
      id: string;
      name: string;
    };
    country: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      id: number;
      name: string;
      iso2: string;
      dial: string;
    };
    operator: string | null;
    period: number | null;
    price: string | null;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    count: number;
    success_share: number | null;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    bought_at: string;
  }[];
}

export interface UserGetLatestRentPurchasesData {
  status: true;
  data: {
    service: {
      id: string;
      name: string;
    };
    country: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      id: number;
      name: string;
      iso2: string;
      dial: string;
    };
    operator: string | null;
    period: number | null;
    price: string | null;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    count: number;
    success_share: number | null;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    bought_at: string;
  }[];
}

export interface PaymentsGetData {
  status: true;
  systems: Partial<
    Record<
      string,
      {
        key: string;
        name: string;
        form: "redirect" | "transfer" | "instructions" | "voucher" | "instant";
        mark: string;
        currency: "rub" | "usd";
        min: string;
        max: string;
        fee_percent: string;
        fee_by: "payer" | "house";
        bonus_percent: string;
        /**
         * @min -9007199254740991
         * @max 9007199254740991
         */
        minutes: number;
      }
    >
  >;
  default_system: string | null;
  bonuses: {
    kind: "first" | "above";
    least: string;
    percent: string | null;
    amount: string | null;
    most: string | null;
    ends_at: string | null;
  }[];
  active_payments: Partial<Record<string, Payment>>;
}

export interface PaymentsHistoryGetParams {
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  date?: string;
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  from?: string;
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  to?: string;
  /** @maxLength 60 */
  time_zone?: string;
  /** @maxLength 100 */
  search?: string;
  /** @maxLength 100 */
  payment_id?: string;
  /**
   * @min 1
   * @max 10000
   */
  page?: number;
}

export interface PaymentsHistoryGetData {
  status: true;
  history: {
    data: Payment[];
    meta: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      last_page: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      total: number;
    };
  };
}

export interface PaymentsCreatePayload {
  /**
   * @minLength 1
   * @maxLength 80
   */
  system: string;
  /** @maxLength 20 */
  amount: string;
}

export interface PaymentsCreateData {
  status: true;
  data: Payment;
}

export interface PaymentsGetByTransactionIdParams {
  /** @maxLength 100 */
  transactionId: string;
}

export interface PaymentsGetByTransactionIdData {
  status: true;
  data: Payment;
}

export interface PaymentsCancelParams {
  /** @maxLength 100 */
  transactionId: string;
}

export interface PaymentsCancelData {
  status: true;
  data: Payment;
}

export interface VouchersCreatePayload {
  /**
   * @minLength 1
   * @maxLength 60
   */
  code: string;
}

export interface VouchersCreateData {
  status: true;
  data: Payment;
  redeemed_before: boolean;
}

export interface HistoryGetParams {
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  from?: string;
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  to?: string;
  /** @maxLength 60 */
  time_zone?: string;
  /** @maxItems 100 */
  services_ids?: string[];
  /** @maxItems 100 */
  countries_ids?: number[];
  mode?: "activation" | "rent";
  outcome?: "active" | "received" | "returned";
  /** @maxLength 100 */
  search?: string;
  /** @maxLength 100 */
  cursor?: string;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
}

export interface HistoryGetData {
  status: true;
  history: {
    data: HistoryItem[];
    meta: {
      next_cursor: string | null;
    };
  };
}

export interface HistoryGetTotalsParams {
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  from?: string;
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  to?: string;
  /** @maxLength 60 */
  time_zone?: string;
  /** @maxItems 100 */
  services_ids?: string[];
  /** @maxItems 100 */
  countries_ids?: number[];
  mode?: "activation" | "rent";
  outcome?: "active" | "received" | "returned";
  /** @maxLength 100 */
  search?: string;
}

export interface HistoryGetTotalsData {
  status: true;
  data: {
    currency: "rub" | "usd";
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    purchases: number;
    spent: string;
    set_aside: string;
    returned: string;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    codes: number;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    ended: number;
    success_share: number | null;
    is_cut: boolean;
  };
}

export interface MovementsGetParams {
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  from?: string;
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  to?: string;
  /** @maxLength 60 */
  time_zone?: string;
  direction?: "in" | "out";
  /** @maxLength 100 */
  cursor?: string;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
}

export interface MovementsGetData {
  status: true;
  movements: {
    data: Movement[];
    meta: {
      next_cursor: string | null;
    };
  };
}

export interface EntriesGetParams {
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  from?: string;
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  to?: string;
  /** @maxLength 60 */
  time_zone?: string;
  direction?: "in" | "out";
  /** @maxLength 100 */
  cursor?: string;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
}

export interface EntriesGetData {
  status: true;
  entries: {
    data: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      id: number;
      kind: "activation" | "rental" | "preorder" | "payment" | "alone";
      amount: string;
      balance: string;
      currency: "rub" | "usd";
      parts: {
        kind: any;
        amount: string;
      }[];
      steps: {
        /**
         * @min -9007199254740991
         * @max 9007199254740991
         */
        id: number;
        kind: any;
        amount: string;
        change: string;
        purpose: "activation" | "rental" | "extension" | "preorder" | null;
        /**
         * @format date-time
         * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
         */
        at: string;
      }[];
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      steps_count: number;
      subject: {
        /**
         * @min -9007199254740991
         * @max 9007199254740991
         */
        id: number;
        preorder_id: number | null;
        service: {
          id: string;
          name: string;
        };
        country: {
          /**
           * @min -9007199254740991
           * @max 9007199254740991
           */
          id: number;
          name: string;
          iso2: string;
          dial: string;
        };
      } | null;
      payment: {
        transaction_id: string;
        name: string;
        state:
          | "created"
          | "pending"
          | "confirming"
          | "paid"
          | "partial"
          | "expired"
          | "failed"
          | "refunded"
          | "disputed";
        dispute: "open" | "lost" | "won" | null;
      } | null;
      /**
       * @format date-time
       * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
       */
      at: string;
    }[];
    meta: {
      next_cursor: string | null;
    };
  };
}

export interface StatementGetParams {
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  from?: string;
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  to?: string;
  /** @maxLength 60 */
  time_zone?: string;
}

export interface StatementGetData {
  status: true;
  data: {
    currency: "rub" | "usd";
    from: string | null;
    to: string | null;
    opening: {
      available: string;
      held: string;
      debt: string;
    };
    closing: {
      available: string;
      held: string;
      debt: string;
    };
    sums: {
      kind:
        | "hold"
        | "release"
        | "refund"
        | "credit"
        | "debit"
        | "topup"
        | "fee"
        | "bonus"
        | "voucher"
        | "payment_refund"
        | "payment_refund_failed"
        | "dispute"
        | "dispute_won"
        | "bonus_back"
        | "fee_back"
        | "debt"
        | "repayment"
        | "rounding"
        | "referral_withdrawal"
        | "referral_recall"
        | "loyalty"
        | "loyalty_back"
        | "channel_reward"
        | "forfeit"
        | "sandbox_credit";
      in: string;
      out: string;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      count: number;
    }[];
    charged: {
      amount: string;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      count: number;
    };
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    at: string;
  };
}

export interface StatisticsGetParams {
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  from?: string;
  /**
   * @format date
   * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
   */
  to?: string;
  /** @maxLength 60 */
  time_zone?: string;
  /** @maxItems 100 */
  services_ids?: string[];
  /** @maxItems 100 */
  countries_ids?: number[];
  mode?: "activation" | "rent";
}

export interface StatisticsGetData {
  status: true;
  data: {
    /**
     * @format date
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
     */
    from: string;
    /**
     * @format date
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
     */
    to: string;
    total: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      purchases: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      activations: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      codes: number;
      spent: string;
      success_share: number | null;
      median_seconds: number | null;
      p90_seconds: number | null;
    };
    days: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      purchases: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      activations: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      codes: number;
      spent: string;
      success_share: number | null;
      median_seconds: number | null;
      p90_seconds: number | null;
      /**
       * @format date
       * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
       */
      day: string;
    }[];
    hours:
      | {
          /**
           * @min -9007199254740991
           * @max 9007199254740991
           */
          purchases: number;
          /**
           * @min -9007199254740991
           * @max 9007199254740991
           */
          activations: number;
          /**
           * @min -9007199254740991
           * @max 9007199254740991
           */
          codes: number;
          spent: string;
          success_share: number | null;
          median_seconds: number | null;
          p90_seconds: number | null;
          /**
           * @format date-time
           * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
           */
          at: string;
        }[]
      | null;
    currency: "rub" | "usd";
    before: {
      /**
       * @format date
       * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
       */
      from: string;
      /**
       * @format date
       * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
       */
      to: string;
      total: {
        /**
         * @min -9007199254740991
         * @max 9007199254740991
         */
        purchases: number;
        /**
         * @min -9007199254740991
         * @max 9007199254740991
         */
        activations: number;
        /**
         * @min -9007199254740991
         * @max 9007199254740991
         */
        codes: number;
        spent: string;
        success_share: number | null;
        median_seconds: number | null;
        p90_seconds: number | null;
      };
      days: {
        /**
         * @min -9007199254740991
         * @max 9007199254740991
         */
        purchases: number;
        /**
         * @min -9007199254740991
         * @max 9007199254740991
         */
        activations: number;
        /**
         * @min -9007199254740991
         * @max 9007199254740991
         */
        codes: number;
        spent: string;
        success_share: number | null;
        median_seconds: number | null;
        p90_seconds: number | null;
        /**
         * @format date
         * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
         */
        day: string;
      }[];
      hours:
        | {
            /**
             * @min -9007199254740991
             * @max 9007199254740991
             */
            purchases: number;
            /**
             * @min -9007199254740991
             * @max 9007199254740991
             */
            activations: number;
            /**
             * @min -9007199254740991
             * @max 9007199254740991
             */
            codes: number;
            spent: string;
            success_share: number | null;
            median_seconds: number | null;
            p90_seconds: number | null;
            /**
             * @format date-time
             * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
             */
            at: string;
          }[]
        | null;
    };
    services: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      purchases: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      activations: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      codes: number;
      spent: string;
      success_share: number | null;
      median_seconds: number | null;
      p90_seconds: number | null;
      id: string;
      name: string;
    }[];
    countries: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      purchases: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      activations: number;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      codes: number;
      spent: string;
      success_share: number | null;
      median_seconds: number | null;
      p90_seconds: number | null;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      id: number;
      name: string;
      iso2: string;
    }[];
    counted_until: string | null;
  };
}

export interface QualityGetParams {
  /** @maxLength 40 */
  service_id?: string;
  /**
   * @min 0
   * @max 1000000
   */
  country_id?: number;
  /**
   * @min 1
   * @max 10000
   */
  page?: number;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
}

export interface QualityGetData {
  status: true;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  days: number;
  /**
   * @min -9007199254740991
   * @max 9007199254740991
   */
  minimum_sample: number;
  data: {
    service_id: string;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    country_id: number;
    operator: string;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    purchases: number;
    success_share: number;
    median_seconds: number | null;
    p90_seconds: number | null;
    better: {
      operator: string;
      success_share: number;
    } | null;
  }[];
  meta: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    last_page: number;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    total: number;
  };
}

export interface SandboxGetData {
  status: true;
  data: {
    sandbox: true;
    balance: string;
    held: string;
    currency: "rub" | "usd";
  };
}

export interface SandboxCreateTopUpData {
  status: true;
  data: {
    sandbox: true;
    balance: string;
    held: string;
    currency: "rub" | "usd";
  };
}

export interface WebhooksGetData {
  status: true;
  data: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    label: string;
    url: string;
    form: "standard" | "field";
    events: (
      | "code.received"
      | "code.another"
      | "activation.cancelled"
      | "activation.expired"
      | "order.refunded"
      | "rental.ending"
      | "rental.ended"
      | "preorder.bought"
      | "preorder.ended"
      | "payment.credited"
    )[];
    on: boolean;
    off_reason: "failing" | "gone" | null;
    failing_since: string | null;
    previous_until: string | null;
    key_id: number | null;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    created_at: string;
  }[];
}

export interface WebhooksCreatePayload {
  /**
   * @minLength 1
   * @maxLength 60
   * @pattern ^\P{C}*$
   */
  label: string;
  /**
   * @format uri
   * @maxLength 1000
   */
  url: string;
  /** @default "standard" */
  form?: "standard" | "field";
  /**
   * @maxItems 10
   * @minItems 1
   */
  events?: (
    | "code.received"
    | "code.another"
    | "activation.cancelled"
    | "activation.expired"
    | "order.refunded"
    | "rental.ending"
    | "rental.ended"
    | "preorder.bought"
    | "preorder.ended"
    | "payment.credited"
  )[];
}

export interface WebhooksCreateData {
  status: true;
  data: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    label: string;
    url: string;
    form: "standard" | "field";
    events: (
      | "code.received"
      | "code.another"
      | "activation.cancelled"
      | "activation.expired"
      | "order.refunded"
      | "rental.ending"
      | "rental.ended"
      | "preorder.bought"
      | "preorder.ended"
      | "payment.credited"
    )[];
    on: boolean;
    off_reason: "failing" | "gone" | null;
    failing_since: string | null;
    previous_until: string | null;
    key_id: number | null;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    created_at: string;
  };
  secret: string | null;
}

export interface WebhooksChangeByIdPayload {
  /**
   * @minLength 1
   * @maxLength 60
   * @pattern ^\P{C}*$
   */
  label?: string;
  /**
   * @format uri
   * @maxLength 1000
   */
  url?: string;
  /**
   * @maxItems 10
   * @minItems 1
   */
  events?: (
    | "code.received"
    | "code.another"
    | "activation.cancelled"
    | "activation.expired"
    | "order.refunded"
    | "rental.ending"
    | "rental.ended"
    | "preorder.bought"
    | "preorder.ended"
    | "payment.credited"
  )[];
  on?: boolean;
}

export interface WebhooksChangeByIdParams {
  /**
   * @min 1
   * @max 2147483647
   */
  id: number;
}

export interface WebhooksChangeByIdData {
  status: true;
  data: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    label: string;
    url: string;
    form: "standard" | "field";
    events: (
      | "code.received"
      | "code.another"
      | "activation.cancelled"
      | "activation.expired"
      | "order.refunded"
      | "rental.ending"
      | "rental.ended"
      | "preorder.bought"
      | "preorder.ended"
      | "payment.credited"
    )[];
    on: boolean;
    off_reason: "failing" | "gone" | null;
    failing_since: string | null;
    previous_until: string | null;
    key_id: number | null;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    created_at: string;
  };
}

export interface WebhooksRemoveByIdParams {
  /**
   * @min 1
   * @max 2147483647
   */
  id: number;
}

export interface WebhooksRemoveByIdData {
  status: true;
  message?: string;
}

export interface WebhooksRotatePayload {
  /**
   * @min 0
   * @max 168
   */
  overlap_hours: number;
}

export interface WebhooksRotateParams {
  /**
   * @min 1
   * @max 2147483647
   */
  id: number;
}

export interface WebhooksRotateData {
  status: true;
  data: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    label: string;
    url: string;
    form: "standard" | "field";
    events: (
      | "code.received"
      | "code.another"
      | "activation.cancelled"
      | "activation.expired"
      | "order.refunded"
      | "rental.ending"
      | "rental.ended"
      | "preorder.bought"
      | "preorder.ended"
      | "payment.credited"
    )[];
    on: boolean;
    off_reason: "failing" | "gone" | null;
    failing_since: string | null;
    previous_until: string | null;
    key_id: number | null;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    created_at: string;
  };
  secret: string | null;
}

export interface WebhooksTestParams {
  /**
   * @min 1
   * @max 2147483647
   */
  id: number;
}

export interface WebhooksTestData {
  status: true;
  data: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    webhook_id: string;
    event:
      | "code.received"
      | "code.another"
      | "activation.cancelled"
      | "activation.expired"
      | "order.refunded"
      | "rental.ending"
      | "rental.ended"
      | "preorder.bought"
      | "preorder.ended"
      | "payment.credited"
      | "test";
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    at: string;
    state: "waiting" | "delivered" | "failed";
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    tries: number;
    next_at: string | null;
    tried_at: string | null;
    took_ms: number | null;
    status: number | null;
    failure:
      | "status"
      | "timeout"
      | "unreached"
      | "tls"
      | "broken"
      | "refused"
      | "late"
      | "off"
      | null;
    body: string;
    reply: string | null;
  };
}

export interface WebhooksGetDeliveriesParams {
  state?: "waiting" | "delivered" | "failed";
  /**
   * @min 1
   * @max 9007199254740991
   */
  before?: number;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
  /**
   * @min 1
   * @max 2147483647
   */
  id: number;
}

export interface WebhooksGetDeliveriesData {
  status: true;
  data: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    webhook_id: string;
    event:
      | "code.received"
      | "code.another"
      | "activation.cancelled"
      | "activation.expired"
      | "order.refunded"
      | "rental.ending"
      | "rental.ended"
      | "preorder.bought"
      | "preorder.ended"
      | "payment.credited"
      | "test";
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    at: string;
    state: "waiting" | "delivered" | "failed";
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    tries: number;
    next_at: string | null;
    tried_at: string | null;
    took_ms: number | null;
    status: number | null;
    failure:
      | "status"
      | "timeout"
      | "unreached"
      | "tls"
      | "broken"
      | "refused"
      | "late"
      | "off"
      | null;
    body: string;
    reply: string | null;
  }[];
  next: number | null;
}

export interface WebhooksCreateDeliveriesReplayParams {
  /**
   * @min 1
   * @max 2147483647
   */
  id: number;
  /**
   * @min 1
   * @max 9007199254740991
   */
  delivery: number;
}

export interface WebhooksCreateDeliveriesReplayData {
  status: true;
  data: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    webhook_id: string;
    event:
      | "code.received"
      | "code.another"
      | "activation.cancelled"
      | "activation.expired"
      | "order.refunded"
      | "rental.ending"
      | "rental.ended"
      | "preorder.bought"
      | "preorder.ended"
      | "payment.credited"
      | "test";
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    at: string;
    state: "waiting" | "delivered" | "failed";
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    tries: number;
    next_at: string | null;
    tried_at: string | null;
    took_ms: number | null;
    status: number | null;
    failure:
      | "status"
      | "timeout"
      | "unreached"
      | "tls"
      | "broken"
      | "refused"
      | "late"
      | "off"
      | null;
    body: string;
    reply: string | null;
  };
}

export interface PriceListGetParams {
  /** @maxLength 100 */
  service?: string;
  /** @maxLength 100 */
  country?: string;
  /** @maxLength 40 */
  service_id?: string;
  /**
   * @min 0
   * @max 1000000
   */
  country_id?: number;
  sort?: "popular" | "price" | "share" | "time" | "stock" | "name";
  /**
   * @min 0
   * @max 100
   */
  min_share?: number;
  /**
   * @min 1
   * @max 10000
   */
  page?: number;
  /**
   * @min 1
   * @max 250
   */
  per_page?: number;
}

export interface PriceListGetData {
  status: true;
  currency: "rub" | "usd";
  data: {
    service: {
      id: string | number;
      slug: string;
      name: string;
      iso2: string | null;
      price: string | null;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      count: number;
      success_share: number | null;
      median_seconds: number | null;
    };
    country: {
      id: string | number;
      slug: string;
      name: string;
      iso2: string | null;
      price: string | null;
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      count: number;
      success_share: number | null;
      median_seconds: number | null;
    };
    price: string;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    count: number;
    success_share: number | null;
    median_seconds: number | null;
  }[];
  meta: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    last_page: number;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    total: number;
  };
}

export interface LoyaltyGetData {
  status: true;
  current: {
    period: "week" | "month";
    time_zone: string;
    currency: "rub" | "usd";
    ranks: {
      top_up: string;
      percent: string;
    }[];
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    begins_at: string;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    ends_at: string;
    topped_up: string;
    percent: string;
    reward: string;
    next: {
      top_up: string;
      percent: string;
      missing: string;
      reward: string;
    } | null;
  } | null;
  currency: "rub" | "usd";
  rewards: {
    time_zone: string;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    begins_at: string;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    ends_at: string;
    topped_up: string;
    percent: string;
    reward: string;
  }[];
}

export interface ReferralGetData {
  status: true;
  data: {
    link: string;
    currency: "rub" | "usd";
    percent: number | null;
    of: "spend" | "topup";
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    days: number;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    pending_days: number;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    months: number;
    most: string | null;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    invited: number;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    paying: number;
    pending: string;
    checking: string;
    available: string;
    withdrawn: string;
    least: string;
    networks: {
      code: string;
      name: string;
    }[];
    open_withdrawal: {
      /**
       * @min -9007199254740991
       * @max 9007199254740991
       */
      id: number;
      amount: string;
      currency: "rub" | "usd";
      to: "balance" | "address";
      network: string | null;
      network_name: string | null;
      address: string | null;
      tx: string | null;
      state: "asked" | "approved" | "paid" | "refused";
      /**
       * @format date-time
       * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
       */
      created_at: string;
      /**
       * @format date-time
       * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
       */
      changed_at: string;
    } | null;
  };
}

export interface ReferralGetSharesParams {
  /**
   * @min 1
   * @max 10000
   */
  page?: number;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
}

export interface ReferralGetSharesData {
  status: true;
  data: {
    /**
     * @format date
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$
     */
    date: string;
    state: "pending" | "checking" | "available";
    amount: string;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    count: number;
    available_at: string | null;
  }[];
  meta: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    last_page: number;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    total: number;
  };
}

export interface ReferralGetHistoryWithdrawalsParams {
  /**
   * @min 1
   * @max 10000
   */
  page?: number;
  /**
   * @min 1
   * @max 100
   */
  per_page?: number;
  /** @maxLength 100 */
  search?: string;
}

export interface ReferralGetHistoryWithdrawalsData {
  status: true;
  data: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    amount: string;
    currency: "rub" | "usd";
    to: "balance" | "address";
    network: string | null;
    network_name: string | null;
    address: string | null;
    tx: string | null;
    state: "asked" | "approved" | "paid" | "refused";
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    created_at: string;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    changed_at: string;
  }[];
  meta: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    last_page: number;
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    total: number;
  };
}

export interface ReferralCreateWithdrawalsPayload {
  /** @maxLength 20 */
  amount: string;
  to: "balance" | "address";
  /** @maxLength 30 */
  network?: string;
  /** @maxLength 200 */
  address?: string;
}

export interface ReferralCreateWithdrawalsData {
  status: true;
  data: {
    /**
     * @min -9007199254740991
     * @max 9007199254740991
     */
    id: number;
    amount: string;
    currency: "rub" | "usd";
    to: "balance" | "address";
    network: string | null;
    network_name: string | null;
    address: string | null;
    tx: string | null;
    state: "asked" | "approved" | "paid" | "refused";
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    created_at: string;
    /**
     * @format date-time
     * @pattern ^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$
     */
    changed_at: string;
  };
  balance: string;
}

export type QueryParamsType = Record<string | number, any>;
export type ResponseFormat = keyof Omit<Body, "body" | "bodyUsed">;

export interface FullRequestParams extends Omit<RequestInit, "body"> {
  /** set parameter to `true` for call `securityWorker` for this request */
  secure?: boolean;
  /** request path */
  path: string;
  /** content type of request body */
  type?: ContentType;
  /** query params */
  query?: QueryParamsType;
  /** format of response (i.e. response.json() -> format: "json") */
  format?: ResponseFormat;
  /** request body */
  body?: unknown;
  /** base url */
  baseUrl?: string;
  /** request cancellation token */
  cancelToken?: CancelToken;
}

export type RequestParams = Omit<
  FullRequestParams,
  "body" | "method" | "query" | "path"
>;

export interface ApiConfig<SecurityDataType = unknown> {
  baseUrl?: string;
  baseApiParams?: Omit<RequestParams, "baseUrl" | "cancelToken" | "signal">;
  securityWorker?: (
    securityData: SecurityDataType | null,
  ) => Promise<RequestParams | void> | RequestParams | void;
  customFetch?: typeof fetch;
}

export interface HttpResponse<D extends unknown, E extends unknown = unknown>
  extends Response {
  data: D;
  error: E;
}

type CancelToken = Symbol | string | number;

export const ContentType = {
  Json: "application/json",
  JsonApi: "application/vnd.api+json",
  FormData: "multipart/form-data",
  UrlEncoded: "application/x-www-form-urlencoded",
  Text: "text/plain",
} as const;
export type ContentType = (typeof ContentType)[keyof typeof ContentType];

export class HttpClient<SecurityDataType = unknown> {
  public baseUrl: string = "";
  private securityData: SecurityDataType | null = null;
  private securityWorker?: ApiConfig<SecurityDataType>["securityWorker"];
  private abortControllers = new Map<CancelToken, AbortController>();
  private customFetch = (...fetchParams: Parameters<typeof fetch>) =>
    fetch(...fetchParams);

  private baseApiParams: RequestParams = {
    credentials: "same-origin",
    headers: {},
    redirect: "follow",
    referrerPolicy: "no-referrer",
  };

  constructor(apiConfig: ApiConfig<SecurityDataType> = {}) {
    Object.assign(this, apiConfig);
  }

  public setSecurityData = (data: SecurityDataType | null) => {
    this.securityData = data;
  };

  protected encodeQueryParam(key: string, value: any) {
    const encodedKey = encodeURIComponent(key);
    return `${encodedKey}=${encodeURIComponent(typeof value === "number" ? value : `${value}`)}`;
  }

  protected addQueryParam(query: QueryParamsType, key: string) {
    return this.encodeQueryParam(key, query[key]);
  }

  protected addArrayQueryParam(query: QueryParamsType, key: string) {
    const value = query[key];
    return value.map((v: any) => this.encodeQueryParam(key, v)).join("&");
  }

  protected toQueryString(rawQuery?: QueryParamsType): string {
    const query = rawQuery || {};
    const keys = Object.keys(query).filter(
      (key) => "undefined" !== typeof query[key],
    );
    return keys
      .map((key) =>
        Array.isArray(query[key])
          ? this.addArrayQueryParam(query, key)
          : this.addQueryParam(query, key),
      )
      .join("&");
  }

  protected addQueryParams(rawQuery?: QueryParamsType): string {
    const queryString = this.toQueryString(rawQuery);
    return queryString ? `?${queryString}` : "";
  }

  private contentFormatters: Record<ContentType, (input: any) => any> = {
    [ContentType.Json]: (input: any) =>
      input !== null && (typeof input === "object" || typeof input === "string")
        ? JSON.stringify(input)
        : input,
    [ContentType.JsonApi]: (input: any) =>
      input !== null && (typeof input === "object" || typeof input === "string")
        ? JSON.stringify(input)
        : input,
    [ContentType.Text]: (input: any) =>
      input !== null && typeof input !== "string"
        ? JSON.stringify(input)
        : input,
    [ContentType.FormData]: (input: any) => {
      if (input instanceof FormData) {
        return input;
      }

      return Object.keys(input || {}).reduce((formData, key) => {
        const property = input[key];
        formData.append(
          key,
          property instanceof Blob
            ? property
            : typeof property === "object" && property !== null
              ? JSON.stringify(property)
              : `${property}`,
        );
        return formData;
      }, new FormData());
    },
    [ContentType.UrlEncoded]: (input: any) => this.toQueryString(input),
  };

  protected mergeRequestParams(
    params1: RequestParams,
    params2?: RequestParams,
  ): RequestParams {
    return {
      ...this.baseApiParams,
      ...params1,
      ...(params2 || {}),
      headers: {
        ...(this.baseApiParams.headers || {}),
        ...(params1.headers || {}),
        ...((params2 && params2.headers) || {}),
      },
    };
  }

  protected createAbortSignal = (
    cancelToken: CancelToken,
  ): AbortSignal | undefined => {
    if (this.abortControllers.has(cancelToken)) {
      const abortController = this.abortControllers.get(cancelToken);
      if (abortController) {
        return abortController.signal;
      }
      return void 0;
    }

    const abortController = new AbortController();
    this.abortControllers.set(cancelToken, abortController);
    return abortController.signal;
  };

  public abortRequest = (cancelToken: CancelToken) => {
    const abortController = this.abortControllers.get(cancelToken);

    if (abortController) {
      abortController.abort();
      this.abortControllers.delete(cancelToken);
    }
  };

  public request = async <T = any, E = any>({
    body,
    secure,
    path,
    type,
    query,
    format,
    baseUrl,
    cancelToken,
    ...params
  }: FullRequestParams): Promise<T> => {
    const secureParams =
      ((typeof secure === "boolean" ? secure : this.baseApiParams.secure) &&
        this.securityWorker &&
        (await this.securityWorker(this.securityData))) ||
      {};
    const requestParams = this.mergeRequestParams(params, secureParams);
    const queryString = query && this.toQueryString(query);
    const payloadFormatter = this.contentFormatters[type || ContentType.Json];
    const responseFormat = format || requestParams.format;

    return this.customFetch(
      `${baseUrl || this.baseUrl || ""}${path}${queryString ? `?${queryString}` : ""}`,
      {
        ...requestParams,
        headers: {
          ...(requestParams.headers || {}),
          ...(type && type !== ContentType.FormData
            ? { "Content-Type": type }
            : {}),
        },
        signal:
          (cancelToken
            ? this.createAbortSignal(cancelToken)
            : requestParams.signal) || null,
        body:
          typeof body === "undefined" || body === null
            ? null
            : payloadFormatter(body),
      },
    ).then(async (response) => {
      const r = response as HttpResponse<T, E>;
      r.data = null as unknown as T;
      r.error = null as unknown as E;

      const responseToParse = responseFormat ? response.clone() : response;
      const data = !responseFormat
        ? r
        : await responseToParse[responseFormat]()
            .then((data) => {
              if (r.ok) {
                r.data = data;
              } else {
                r.error = data;
              }
              return r;
            })
            .catch((e) => {
              r.error = e;
              return r;
            });

      if (cancelToken) {
        this.abortControllers.delete(cancelToken);
      }

      if (!response.ok) throw data;
      return data.data;
    });
  };
}

/**
 * @title Ringpost
 * @version 1
 */
export class Api<SecurityDataType extends unknown> {
  http: HttpClient<SecurityDataType>;

  constructor(http: HttpClient<SecurityDataType>) {
    this.http = http;
  }

  user = {
    /**
     * No description
     *
     * @tags user
     * @name UserGet
     * @summary The account: balance, settings, and all open orders and payments
     * @request GET:/api/user
     * @secure
     */
    get: (params: RequestParams = {}) =>
      this.http.request<UserGetData, Error>({
        path: `/api/user`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags user
     * @name UserGetActiveNumbers
     * @summary Numbers waiting for a code, and numbers that have just ended
     * @request GET:/api/user/active-numbers
     * @secure
     */
    getActiveNumbers: (
      query: UserGetActiveNumbersParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<UserGetActiveNumbersData, Error>({
        path: `/api/user/active-numbers`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags user
     * @name UserGetActiveRentNumbers
     * @summary Numbers you are renting now
     * @request GET:/api/user/active-rent-numbers
     * @secure
     */
    getActiveRentNumbers: (
      query: UserGetActiveRentNumbersParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<UserGetActiveRentNumbersData, Error>({
        path: `/api/user/active-rent-numbers`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags user
     * @name UserGetLatestPurchases
     * @summary Your latest purchases
     * @request GET:/api/user/latest-purchases
     * @secure
     */
    getLatestPurchases: (params: RequestParams = {}) =>
      this.http.request<UserGetLatestPurchasesData, Error>({
        path: `/api/user/latest-purchases`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags user
     * @name UserGetLatestRentPurchases
     * @summary Your latest rentals
     * @request GET:/api/user/latest-rent-purchases
     * @secure
     */
    getLatestRentPurchases: (params: RequestParams = {}) =>
      this.http.request<UserGetLatestRentPurchasesData, Error>({
        path: `/api/user/latest-rent-purchases`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  services = {
    /**
     * No description
     *
     * @tags services
     * @name ServicesGet
     * @summary Services with prices and stock, for one country or all countries
     * @request GET:/api/services
     * @secure
     */
    get: (query: ServicesGetParams = {}, params: RequestParams = {}) =>
      this.http.request<ServicesGetData, Error>({
        path: `/api/services`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  countries = {
    /**
     * No description
     *
     * @tags countries
     * @name CountriesGet
     * @summary Countries with prices and stock, for one service or all services
     * @request GET:/api/countries
     * @secure
     */
    get: (
      query: CountriesGetParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<CountriesGetData, Error>({
        path: `/api/countries`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  price = {
    /**
     * No description
     *
     * @tags price
     * @name PriceGet
     * @summary The price and stock of a number, by operator
     * @request GET:/api/price
     * @secure
     */
    get: (query: PriceGetParams, params: RequestParams = {}) =>
      this.http.request<PriceGetData, Error>({
        path: `/api/price`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  rentServices = {
    /**
     * No description
     *
     * @tags rentServices
     * @name RentServicesGet
     * @summary Services available for rentals, with the price for a period
     * @request GET:/api/rent-services
     * @secure
     */
    get: (
      query: RentServicesGetParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<RentServicesGetData, Error>({
        path: `/api/rent-services`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  rentCountries = {
    /**
     * No description
     *
     * @tags rentCountries
     * @name RentCountriesGet
     * @summary Countries available for rentals, with the price for a period
     * @request GET:/api/rent-countries
     * @secure
     */
    get: (
      query: RentCountriesGetParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<RentCountriesGetData, Error>({
        path: `/api/rent-countries`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  rentPrice = {
    /**
     * No description
     *
     * @tags rentPrice
     * @name RentPriceGet
     * @summary Rental prices by period
     * @request GET:/api/rent-price
     * @secure
     */
    get: (query: RentPriceGetParams, params: RequestParams = {}) =>
      this.http.request<RentPriceGetData, Error>({
        path: `/api/rent-price`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  activations = {
    /**
     * No description
     *
     * @tags activations
     * @name ActivationsCreate
     * @summary Buy a number for one code
     * @request POST:/api/v1/activations
     * @secure
     */
    create: (
      data: ActivationsCreatePayload,
      params: RequestParams = {},
    ) =>
      this.http.request<ActivationsCreateData, Error>({
        path: `/api/v1/activations`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags activations
     * @name ActivationsCreateBulk
     * @summary Buy up to 50 numbers at once; each purchase succeeds or fails separately
     * @request POST:/api/v1/activations/bulk
     * @secure
     */
    createBulk: (
      data: ActivationsCreateBulkPayload,
      params: RequestParams = {},
    ) =>
      this.http.request<ActivationsCreateBulkData, Error>({
        path: `/api/v1/activations/bulk`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags activations
     * @name ActivationsGetById
     * @summary One activation; with the wait parameter, the response is sent when a code arrives
     * @request GET:/api/v1/activations/{id}
     * @secure
     */
    getById: (
      { id, ...query }: ActivationsGetByIdParams,
      params: RequestParams = {},
    ) =>
      this.http.request<ActivationsGetByIdData, Error>({
        path: `/api/v1/activations/${id}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags activations
     * @name ActivationsCancel
     * @summary Cancel a number before a code arrives, and get a refund
     * @request POST:/api/v1/activations/{id}/cancel
     * @secure
     */
    cancel: (
      { id }: ActivationsCancelParams,
      params: RequestParams = {},
    ) =>
      this.http.request<ActivationsCancelData, Error>({
        path: `/api/v1/activations/${id}/cancel`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags activations
     * @name ActivationsAgain
     * @summary Request another code on the same number
     * @request POST:/api/v1/activations/{id}/again
     * @secure
     */
    again: (
      { id }: ActivationsAgainParams,
      params: RequestParams = {},
    ) =>
      this.http.request<ActivationsAgainData, Error>({
        path: `/api/v1/activations/${id}/again`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags activations
     * @name ActivationsFinish
     * @summary Finish an activation after its code has arrived
     * @request POST:/api/v1/activations/{id}/finish
     * @secure
     */
    finish: (
      { id }: ActivationsFinishParams,
      params: RequestParams = {},
    ) =>
      this.http.request<ActivationsFinishData, Error>({
        path: `/api/v1/activations/${id}/finish`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags activations
     * @name ActivationsUsed
     * @summary Report that the number is already registered with the service, and get a refund
     * @request POST:/api/v1/activations/{id}/used
     * @secure
     */
    used: (
      { id }: ActivationsUsedParams,
      params: RequestParams = {},
    ) =>
      this.http.request<ActivationsUsedData, Error>({
        path: `/api/v1/activations/${id}/used`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags activations
     * @name ActivationsOpen
     * @summary Pay for a waiting number and read its notices
     * @request POST:/api/v1/activations/{id}/open
     * @secure
     */
    open: (
      { id }: ActivationsOpenParams,
      params: RequestParams = {},
    ) =>
      this.http.request<ActivationsOpenData, Error>({
        path: `/api/v1/activations/${id}/open`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags activations
     * @name ActivationsNotMyCode
     * @summary Report that you were charged for something that isn't a code from the service, and get a refund
     * @request POST:/api/v1/activations/{id}/not-my-code
     * @secure
     */
    notMyCode: (
      { id }: ActivationsNotMyCodeParams,
      params: RequestParams = {},
    ) =>
      this.http.request<ActivationsNotMyCodeData, Error>({
        path: `/api/v1/activations/${id}/not-my-code`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags activations
     * @name ActivationsReplace
     * @summary Cancel a number and buy another in one step
     * @request POST:/api/v1/activations/{id}/replace
     * @secure
     */
    replace: (
      { id }: ActivationsReplaceParams,
      data?: ActivationsReplacePayload,
      params: RequestParams = {},
    ) =>
      this.http.request<ActivationsReplaceData, Error>({
        path: `/api/v1/activations/${id}/replace`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags activations
     * @name ActivationsRepeat
     * @summary Buy the number of a finished activation again
     * @request POST:/api/v1/activations/{id}/repeat
     * @secure
     */
    repeat: (
      { id }: ActivationsRepeatParams,
      data?: ActivationsRepeatPayload,
      params: RequestParams = {},
    ) =>
      this.http.request<ActivationsRepeatData, Error>({
        path: `/api/v1/activations/${id}/repeat`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),
  };
  rentals = {
    /**
     * No description
     *
     * @tags rentals
     * @name RentalsCreate
     * @summary Rent a number
     * @request POST:/api/v1/rentals
     * @secure
     */
    create: (data: RentalsCreatePayload, params: RequestParams = {}) =>
      this.http.request<RentalsCreateData, Error>({
        path: `/api/v1/rentals`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags rentals
     * @name RentalsGetById
     * @summary A rental with its messages
     * @request GET:/api/v1/rentals/{id}
     * @secure
     */
    getById: (
      { id }: RentalsGetByIdParams,
      params: RequestParams = {},
    ) =>
      this.http.request<RentalsGetByIdData, Error>({
        path: `/api/v1/rentals/${id}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags rentals
     * @name RentalsCancel
     * @summary Cancel a rental in its first minutes
     * @request POST:/api/v1/rentals/{id}/cancel
     * @secure
     */
    cancel: ({ id }: RentalsCancelParams, params: RequestParams = {}) =>
      this.http.request<RentalsCancelData, Error>({
        path: `/api/v1/rentals/${id}/cancel`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags rentals
     * @name RentalsFinish
     * @summary End a rental early
     * @request POST:/api/v1/rentals/{id}/finish
     * @secure
     */
    finish: ({ id }: RentalsFinishParams, params: RequestParams = {}) =>
      this.http.request<RentalsFinishData, Error>({
        path: `/api/v1/rentals/${id}/finish`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags rentals
     * @name RentalsGetExtensions
     * @summary Prices for extending this rental
     * @request GET:/api/v1/rentals/{id}/extensions
     * @secure
     */
    getExtensions: (
      { id }: RentalsGetExtensionsParams,
      params: RequestParams = {},
    ) =>
      this.http.request<RentalsGetExtensionsData, Error>({
        path: `/api/v1/rentals/${id}/extensions`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags rentals
     * @name RentalsExtend
     * @summary Extend a rental
     * @request POST:/api/v1/rentals/{id}/extend
     * @secure
     */
    extend: (
      { id }: RentalsExtendParams,
      data: RentalsExtendPayload,
      params: RequestParams = {},
    ) =>
      this.http.request<RentalsExtendData, Error>({
        path: `/api/v1/rentals/${id}/extend`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),
  };
  preorders = {
    /**
     * No description
     *
     * @tags preorders
     * @name PreordersCreate
     * @summary Pre-order a number that is out of stock, at your price or less
     * @request POST:/api/v1/preorders
     * @secure
     */
    create: (
      data: PreordersCreatePayload,
      params: RequestParams = {},
    ) =>
      this.http.request<PreordersCreateData, Error>({
        path: `/api/v1/preorders`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags preorders
     * @name PreordersGet
     * @summary Open and past pre-orders
     * @request GET:/api/v1/preorders
     * @secure
     */
    get: (params: RequestParams = {}) =>
      this.http.request<PreordersGetData, Error>({
        path: `/api/v1/preorders`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags preorders
     * @name PreordersGetLastSale
     * @summary The price the latest buyer paid for such a number, to help you choose the price of a pre-order
     * @request GET:/api/v1/preorders/last-sale
     * @secure
     */
    getLastSale: (
      query: PreordersGetLastSaleParams,
      params: RequestParams = {},
    ) =>
      this.http.request<PreordersGetLastSaleData, Error>({
        path: `/api/v1/preorders/last-sale`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags preorders
     * @name PreordersCancel
     * @summary Cancel a pre-order
     * @request POST:/api/v1/preorders/{id}/cancel
     * @secure
     */
    cancel: (
      { id }: PreordersCancelParams,
      params: RequestParams = {},
    ) =>
      this.http.request<PreordersCancelData, Error>({
        path: `/api/v1/preorders/${id}/cancel`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  payments = {
    /**
     * No description
     *
     * @tags payments
     * @name PaymentsGet
     * @summary Payment methods, with limits and fees
     * @request GET:/api/payments
     * @secure
     */
    get: (params: RequestParams = {}) =>
      this.http.request<PaymentsGetData, Error>({
        path: `/api/payments`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags payments
     * @name PaymentsCreate
     * @summary Start a top-up
     * @request POST:/api/v1/payments
     * @secure
     */
    create: (data: PaymentsCreatePayload, params: RequestParams = {}) =>
      this.http.request<PaymentsCreateData, Error>({
        path: `/api/v1/payments`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags payments
     * @name PaymentsGetByTransactionId
     * @summary A top-up and its status
     * @request GET:/api/v1/payments/{transaction_id}
     * @secure
     */
    getByTransactionId: (
      { transactionId }: PaymentsGetByTransactionIdParams,
      params: RequestParams = {},
    ) =>
      this.http.request<PaymentsGetByTransactionIdData, Error>({
        path: `/api/v1/payments/${transactionId}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags payments
     * @name PaymentsCancel
     * @summary Cancel an unpaid top-up
     * @request POST:/api/v1/payments/{transaction_id}/cancel
     * @secure
     */
    cancel: (
      { transactionId }: PaymentsCancelParams,
      params: RequestParams = {},
    ) =>
      this.http.request<PaymentsCancelData, Error>({
        path: `/api/v1/payments/${transactionId}/cancel`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  paymentsHistory = {
    /**
     * No description
     *
     * @tags paymentsHistory
     * @name PaymentsHistoryGet
     * @summary Past top-ups
     * @request GET:/api/payments-history
     * @secure
     */
    get: (
      query: PaymentsHistoryGetParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<PaymentsHistoryGetData, Error>({
        path: `/api/payments-history`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  vouchers = {
    /**
     * No description
     *
     * @tags vouchers
     * @name VouchersCreate
     * @summary Redeem a voucher
     * @request POST:/api/v1/vouchers
     * @secure
     */
    create: (data: VouchersCreatePayload, params: RequestParams = {}) =>
      this.http.request<VouchersCreateData, Error>({
        path: `/api/v1/vouchers`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),
  };
  history = {
    /**
     * No description
     *
     * @tags history
     * @name HistoryGet
     * @summary Past activations and rentals
     * @request GET:/api/v1/history
     * @secure
     */
    get: (query: HistoryGetParams = {}, params: RequestParams = {}) =>
      this.http.request<HistoryGetData, Error>({
        path: `/api/v1/history`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags history
     * @name HistoryGetTotals
     * @summary Totals of the past activations and rentals that match a filter
     * @request GET:/api/v1/history/totals
     * @secure
     */
    getTotals: (
      query: HistoryGetTotalsParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<HistoryGetTotalsData, Error>({
        path: `/api/v1/history/totals`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  movements = {
    /**
     * No description
     *
     * @tags movements
     * @name MovementsGet
     * @summary Transactions, one line per order
     * @request GET:/api/v1/movements
     * @secure
     */
    get: (
      query: MovementsGetParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<MovementsGetData, Error>({
        path: `/api/v1/movements`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  entries = {
    /**
     * No description
     *
     * @tags entries
     * @name EntriesGet
     * @summary The account's ledger entries
     * @request GET:/api/v1/entries
     * @secure
     */
    get: (query: EntriesGetParams = {}, params: RequestParams = {}) =>
      this.http.request<EntriesGetData, Error>({
        path: `/api/v1/entries`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  statement = {
    /**
     * No description
     *
     * @tags statement
     * @name StatementGet
     * @summary A statement: opening and closing balance, totals by type
     * @request GET:/api/v1/statement
     * @secure
     */
    get: (
      query: StatementGetParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<StatementGetData, Error>({
        path: `/api/v1/statement`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  statistics = {
    /**
     * No description
     *
     * @tags statistics
     * @name StatisticsGet
     * @summary Totals and success rates over a period
     * @request GET:/api/v1/statistics
     * @secure
     */
    get: (
      query: StatisticsGetParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<StatisticsGetData, Error>({
        path: `/api/v1/statistics`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  quality = {
    /**
     * No description
     *
     * @tags quality
     * @name QualityGet
     * @summary Measured success rates and waiting times; no login needed
     * @request GET:/api/v1/quality
     * @secure
     */
    get: (query: QualityGetParams = {}, params: RequestParams = {}) =>
      this.http.request<QualityGetData, Error>({
        path: `/api/v1/quality`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  sandbox = {
    /**
     * No description
     *
     * @tags sandbox
     * @name SandboxGet
     * @summary The play money balance
     * @request GET:/api/v1/sandbox
     * @secure
     */
    get: (params: RequestParams = {}) =>
      this.http.request<SandboxGetData, Error>({
        path: `/api/v1/sandbox`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags sandbox
     * @name SandboxCreateTopUp
     * @summary Reset the play money to its initial amount
     * @request POST:/api/v1/sandbox/top-up
     * @secure
     */
    createTopUp: (params: RequestParams = {}) =>
      this.http.request<SandboxCreateTopUpData, Error>({
        path: `/api/v1/sandbox/top-up`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  webhooks = {
    /**
     * No description
     *
     * @tags webhooks
     * @name WebhooksGet
     * @summary Your webhooks
     * @request GET:/api/v1/webhooks
     * @secure
     */
    get: (params: RequestParams = {}) =>
      this.http.request<WebhooksGetData, Error>({
        path: `/api/v1/webhooks`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name WebhooksCreate
     * @summary Add a webhook; its secret is shown once
     * @request POST:/api/v1/webhooks
     * @secure
     */
    create: (data: WebhooksCreatePayload, params: RequestParams = {}) =>
      this.http.request<WebhooksCreateData, Error>({
        path: `/api/v1/webhooks`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name WebhooksChangeById
     * @summary Change a webhook, or turn it on or off
     * @request PATCH:/api/v1/webhooks/{id}
     * @secure
     */
    changeById: (
      { id }: WebhooksChangeByIdParams,
      data?: WebhooksChangeByIdPayload,
      params: RequestParams = {},
    ) =>
      this.http.request<WebhooksChangeByIdData, Error>({
        path: `/api/v1/webhooks/${id}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name WebhooksRemoveById
     * @summary Delete a webhook
     * @request DELETE:/api/v1/webhooks/{id}
     * @secure
     */
    removeById: (
      { id }: WebhooksRemoveByIdParams,
      params: RequestParams = {},
    ) =>
      this.http.request<WebhooksRemoveByIdData, Error>({
        path: `/api/v1/webhooks/${id}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name WebhooksRotate
     * @summary Give a webhook a new secret
     * @request POST:/api/v1/webhooks/{id}/rotate
     * @secure
     */
    rotate: (
      { id }: WebhooksRotateParams,
      data: WebhooksRotatePayload,
      params: RequestParams = {},
    ) =>
      this.http.request<WebhooksRotateData, Error>({
        path: `/api/v1/webhooks/${id}/rotate`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name WebhooksTest
     * @summary Send a test event
     * @request POST:/api/v1/webhooks/{id}/test
     * @secure
     */
    test: ({ id }: WebhooksTestParams, params: RequestParams = {}) =>
      this.http.request<WebhooksTestData, Error>({
        path: `/api/v1/webhooks/${id}/test`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name WebhooksGetDeliveries
     * @summary What was sent to a webhook, and how it responded
     * @request GET:/api/v1/webhooks/{id}/deliveries
     * @secure
     */
    getDeliveries: (
      { id, ...query }: WebhooksGetDeliveriesParams,
      params: RequestParams = {},
    ) =>
      this.http.request<WebhooksGetDeliveriesData, Error>({
        path: `/api/v1/webhooks/${id}/deliveries`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name WebhooksCreateDeliveriesReplay
     * @summary Send an event again
     * @request POST:/api/v1/webhooks/{id}/deliveries/{delivery}/replay
     * @secure
     */
    createDeliveriesReplay: (
      { id, delivery }: WebhooksCreateDeliveriesReplayParams,
      params: RequestParams = {},
    ) =>
      this.http.request<WebhooksCreateDeliveriesReplayData, Error>({
        path: `/api/v1/webhooks/${id}/deliveries/${delivery}/replay`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  priceList = {
    /**
     * No description
     *
     * @tags priceList
     * @name PriceListGet
     * @summary All prices, by service and country
     * @request GET:/api/v1/price-list
     * @secure
     */
    get: (
      query: PriceListGetParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<PriceListGetData, Error>({
        path: `/api/v1/price-list`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  loyalty = {
    /**
     * No description
     *
     * @tags loyalty
     * @name LoyaltyGet
     * @summary Your rank and what you get for it
     * @request GET:/api/v1/loyalty
     * @secure
     */
    get: (params: RequestParams = {}) =>
      this.http.request<LoyaltyGetData, Error>({
        path: `/api/v1/loyalty`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  referral = {
    /**
     * No description
     *
     * @tags referral
     * @name ReferralGet
     * @summary Your referral link and what you have earned
     * @request GET:/api/v1/referral
     * @secure
     */
    get: (params: RequestParams = {}) =>
      this.http.request<ReferralGetData, Error>({
        path: `/api/v1/referral`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags referral
     * @name ReferralGetShares
     * @summary Your referral shares, by day
     * @request GET:/api/v1/referral/shares
     * @secure
     */
    getShares: (
      query: ReferralGetSharesParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<ReferralGetSharesData, Error>({
        path: `/api/v1/referral/shares`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags referral
     * @name ReferralGetHistoryWithdrawals
     * @summary Past withdrawals
     * @request GET:/api/referral/history-withdrawals
     * @secure
     */
    getHistoryWithdrawals: (
      query: ReferralGetHistoryWithdrawalsParams = {},
      params: RequestParams = {},
    ) =>
      this.http.request<ReferralGetHistoryWithdrawalsData, Error>({
        path: `/api/referral/history-withdrawals`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags referral
     * @name ReferralCreateWithdrawals
     * @summary Withdraw referral earnings
     * @request POST:/api/v1/referral/withdrawals
     * @secure
     */
    createWithdrawals: (
      data: ReferralCreateWithdrawalsPayload,
      params: RequestParams = {},
    ) =>
      this.http.request<ReferralCreateWithdrawalsData, Error>({
        path: `/api/v1/referral/withdrawals`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),
  };
}
