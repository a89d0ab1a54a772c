import { describe, expect, it } from 'vitest';
import { readCampaign } from './campaign.ts';

const ann = { patient_name: 'Ann Lee', patient_phone: '+880 1712-345678' };
const read = (sent: Parameters<typeof readCampaign>[0]) => readCampaign(sent, ann);

describe('a campaign', () => {
  it('is completed from the page’s address, but form fields take precedence', () => {
    const page = 'https://c.example/?utm_source=mail&utm_medium=email&fbclid=IwAR0&utm_source=second';

    expect(read({ landing_page: page, utm_source: 'google' })).toMatchObject({
      utm_source: 'google',
      utm_medium: 'email',
      channel: 'google / email',
      click_id: 'IwAR0',
      click_id_kind: 'fbclid',
    });
  });

  it('has one click id, and its kind, however many there are', () => {
    expect(read({ fbclid: 'IwAR0', gclid: 'Cj0', msclkid: 'ab12' })).toMatchObject({
      click_id: 'Cj0',
      click_id_kind: 'gclid',
    });
  });

  it('takes `campaign` for `utm_campaign`, which counts first', () => {
    expect(read({ campaign: 'spring' }).campaign).toBe('spring');
    expect(read({ campaign: 'spring', utm_campaign: 'autumn' }).campaign).toBe('autumn');
  });

  it('keeps one part of the channel if the other is missing', () => {
    expect(read({ utm_source: 'google' }).channel).toBe('google');
    expect(read({ utm_medium: 'cpc' }).channel).toBe('cpc');
    expect(read({}).channel).toBeNull();
  });

  it.each([
    ['10 kB', 'x'.repeat(10_000), 'x'.repeat(200)],
    ['lines and invisible characters', 'a\u202e\nb\u0000\tc', 'a b c'],
    ['half a character', `${'x'.repeat(199)}😀`, `${'x'.repeat(199)}\uFFFD`],
    ['nothing but spaces', ' \n ', null],
    ['another script', 'বসন্ত ২০২৬', 'বসন্ত ২০২৬'],
  ])('is one line of at most 200 characters: %s', (_what, sent, kept) => {
    expect(read({ utm_campaign: sent }).campaign).toBe(kept);
  });

  it.each(['=HYPERLINK("https://x.example")', '+1', 'a b', '<script>', 'x'.repeat(513)])(
    'has no click id that is none: %s',
    (sent) => {
      expect(read({ gclid: sent }).click_id).toBeNull();
    },
  );
});

describe('nothing about the patient', () => {
  it.each([
    'Ann Lee',
    'lee-ann-2026',
    'offer_for_ANN%20LEE',
    'ann%2520lee',
    '01712345678',
    'call 0171-2345 678',
    '০১৭১২৩৪৫৬৭৮',
    'ann.other@mail.example',
    'someone%40mail.example',
  ])('is kept in a value: %s', (value) => {
    const sent = {
      utm_source: value,
      utm_campaign: value,
      utm_term: value,
      utm_content: value,
      gclid: value,
    };

    expect(Object.values(read(sent)).filter(Boolean)).toEqual([]);
  });

  it.each(['Ann', 'LEE', 'ann%20', 'Lee!'])('is kept where mailings write to one reader: %s', (value) => {
    const { utm_term, utm_content, landing_page } = read({
      utm_term: value,
      landing_page: `https://c.example/?utm_content=${encodeURIComponent(value)}&utm_term=implants`,
    });

    expect({ utm_term, utm_content, landing_page }).toEqual({
      utm_term: 'implants',
      utm_content: null,
      landing_page: 'https://c.example/?utm_term=implants',
    });
    expect(read({ utm_term: `${value} implants` }).utm_term).not.toBeNull();
  });

  it.each(['annual-sale', 'sleeves', 'spring', '20260712', 'ann-and-bob-implants', 'dr-lee-implants'])(
    'is looked for in more than a value has: %s',
    (value) => {
      expect(read({ utm_campaign: value }).campaign).toBe(value);
    },
  );

  it.each(['https://c.example/welcome/ann?utm_campaign=a', 'https://c.example/for-Lee/?utm_campaign=a'])(
    'is kept of a page made for one reader: %s',
    (page) => {
      expect(read({ landing_page: page }).landing_page).toBe('https://c.example/?utm_campaign=a');
    },
  );

  it('remains in an address: no other query, fragment or user, no path with a name or a number', () => {
    const query = 'name=Ann&phone=01712345678&utm_campaign=spring&utm_content=ann+lee&token=secret';

    expect(read({ landing_page: `https://u:p@c.example/implants?${query}#ann` }).landing_page).toBe(
      'https://c.example/implants?utm_campaign=spring',
    );
    expect(read({ landing_page: 'https://c.example/thanks/ann-lee/?utm_campaign=a' }).landing_page).toBe(
      'https://c.example/?utm_campaign=a',
    );
    expect(read({ referrer: 'https://mail.example/inbox/ann.lee@mail.example?q=1' }).referrer).toBe(
      'https://mail.example/',
    );
    expect(read({ referrer: `https://c.example/${'x'.repeat(5_000)}` }).referrer).toBe('https://c.example/');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'Dr. Smith', 'ftp://c.example/', '//c.example', ''])(
    'is kept of what is no web address: %s',
    (sent) => {
      expect(read({ landing_page: sent, referrer: sent })).toMatchObject({
        landing_page: null,
        referrer: null,
      });
    },
  );
});

/** As people name them: by season, place, treatment, audience, network, number, in their own language. */
const campaigns = [
  ...[
    'spring_sale',
    'summer',
    'may',
    'April',
    'june-2026',
    'august_offer',
    'autumn',
    'easter',
    'black_friday_2026',
    'eid',
  ],
  ...[
    'implants',
    'invisalign-free-consult',
    'teeth_whitening_50off',
    'kids-checkup',
    'root canal dhaka',
    'Braces | Teens',
  ],
  ...[
    'brand',
    'Search - Brand - Exact',
    'PMax | All | EN',
    'gmb',
    'google-my-business',
    'retargeting-q3',
    'lookalike_1pct',
  ],
  ...[
    '21034567890',
    '2026-03',
    'newsletter_12',
    'welcome_series_1',
    'fb_leadgen_v2',
    'dr-rahman-implants',
    'meet dr. lee',
  ],
  ...[
    'new_patients',
    'refer-a-friend',
    'happy-smiles',
    'thank-you-page',
    'user_2026',
    'rose-day-whitening',
    'hope-street',
  ],
  ...[
    '种植牙_春季',
    '国庆节种植牙',
    '国庆',
    '春节优惠',
    '隐形矫正-免费咨询',
    '歯のホワイトニング',
    '임플란트 이벤트',
    '추석',
  ],
  ...[
    'весна 2027',
    'имплантация_зубов',
    'زراعة الأسنان رمضان',
    'عروض الربيع',
    'दिवाली ऑफर',
    'পূজা ২০২৬',
    'ঈদ-ধামাকা',
  ],
  ...[
    'Primavera 2027',
    'bahar_kampanyası',
    'Eylül 2027',
    'implante-dental-verão',
    'puja-2026',
    'Navidad 2026',
    'bayram',
  ],
  ...[
    'byron-bay',
    'formation',
    'kundenliebe',
    'hello-spring',
    'willkommen-im-sommer',
    'bonjour-printemps',
    'hola-verano',
  ],
  ...[
    'día de la madre',
    'dr-lópez-ortodoncia',
    'clínica-ana-sonrisas',
    'สวัสดีปีใหม่',
    'merhaba-yaz',
    'benvenuta-estate',
  ],
  ...['বসন্ত ২০২৬', 'promo-été', 'zahnreinigung_märz', 'implantes_méxico', 'eid-al-fitr', 'ramadan'],
];
const people = [
  ...[
    'Ann Lee',
    'Rahim Uddin',
    'Md. Rahman',
    'Summer Hill',
    'April May Jones',
    'June Carter',
    'August Wilson',
    'Rose Day',
  ],
  ...[
    'Hope Street',
    'Jean-Luc Été',
    'María de la Cruz',
    'Šárka Nováková',
    "Siobhán O'Neil",
    'Nguyễn Thị Mai',
    'Ramadan Ali',
  ],
  ...['রহিম উদ্দিন', '王 小明', 'محمد علي', 'Bo Xu', 'Al Green', 'Bing Li', 'Meta Sharma'],
];
/** Called like a season, a feast or a place in their own language. */
const namesakes = [
  ...[
    '王小明',
    '李国庆',
    '山田太郎',
    '김민수',
    '陈春',
    'Primavera García',
    'Puja Das',
    'পূজা রায়',
    'Eylül Demir',
    'Bayram Kaya',
  ],
  ...[
    'Ron Byrne',
    'Ana López',
    'Navidad Reyes',
    'สมชาย ใจดี',
    'Иван Весна',
    'Anna Sommer',
    'Ayşe Bahar',
    'رمضان ربيع',
  ],
];
/** Values that are the patient's whole name, written as a campaign would be. */
const wholeNames: readonly string[] = ['Rose Day rose-day-whitening', 'Hope Street hope-street'];

it('keeps the campaigns of a clinic, whoever comes with them', () => {
  const lost = [...people, ...namesakes].flatMap((patient_name) =>
    campaigns.flatMap((utm_campaign) =>
      readCampaign({ utm_campaign }, { patient_name, patient_phone: null }).campaign === utm_campaign
        ? []
        : [`${patient_name} ${utm_campaign}`],
    ),
  );

  expect(lost).toEqual(wholeNames);
});

it.each(['Bing Li', 'Meta Sharma', 'Google Singh'])('keeps where %s came from', (patient_name) => {
  const [word = ''] = patient_name.toLowerCase().split(' ');
  const sent = { utm_source: word, utm_medium: 'cpc' };

  expect(readCampaign(sent, { patient_name, patient_phone: null }).channel).toBe(`${word} / cpc`);
});

/** As mailing tools write a name into an address. */
const slugOf = (part: string): string =>
  /\p{Script=Latin}/u.test(part)
    ? part
        .normalize('NFD')
        .replaceAll(/[\p{M}'-]/gu, '')
        .toLowerCase()
    : part;

it('keeps the language, the article and the source that are a part of a longer name', () => {
  const sent = { landing_page: 'https://c.example/de/implants', utm_source: 'an', utm_medium: 'social' };
  const of = (patient_name: string) => readCampaign(sent, { patient_name, patient_phone: null });

  expect(of('Anna de Vries')).toMatchObject({ landing_page: sent.landing_page });
  expect(of('An Nguyen')).toMatchObject({ channel: 'an / social' });
});

it('never keeps what a mailing may have put there of the person, in any field', () => {
  const forms = (one: string) => [
    ...[
      one,
      one.toLowerCase(),
      one.toUpperCase(),
      `${one}2026`,
      `${one}-1`,
      `welcome-${one}`,
      `for_${one}`,
      `Hi ${one}!`,
    ],
    ...[
      `${one}’s`,
      encodeURIComponent(one),
      encodeURIComponent(`dear ${one}`),
      `happy birthday ${one}`,
      `[${one}]`,
    ],
  ];
  const isCommon = /^(summer|april|may|june|august|ramadan|bing|meta|été|ete)$/i;
  const kept = people.flatMap((patient_name) =>
    patient_name
      .split(' ')
      // Two letters identify no one: `md` and `an` are more often something else.
      .filter((part) => part.replaceAll(/\P{L}/gu, '').length > 2 && !isCommon.test(part))
      .flatMap((part) => [...new Set([part, slugOf(part)])])
      .flatMap(forms)
      .filter((value) => {
        const sent = {
          utm_source: value,
          utm_medium: value,
          utm_campaign: value,
          utm_term: value,
          utm_content: value,
        };
        const read = readCampaign({ ...sent, campaign: value }, { patient_name, patient_phone: null });
        return Object.values(read).some((one) => one !== null);
      })
      .map((value) => `${patient_name}: ${value}`),
  );

  expect(kept).toEqual([]);
});

/** What mailing tools write to one reader, in the reader's own language. */
const mailings: Record<string, readonly string[]> = {
  王小明: [
    ...[
      '王小明',
      '小明',
      '欢迎小明',
      '小明您好',
      '亲爱的王小明',
      '王小明先生',
      'hello小明',
      'welcome-小明',
      '王-小明',
    ],
    ...['祝王小明生日快乐', '2027王小明', '给小明', '種植牙给王小明'],
  ],
  '王 小明': ['王小明', '小明2027', '小明王'],
  欧阳娜娜: ['娜娜', '欢迎娜娜', '欧阳小姐'],
  山田太郎: ['太郎さん', '山田様', 'ようこそ太郎', '山田太郎様へ'],
  김민수: ['민수님', '안녕하세요-민수', '김민수님', '민수'],
  'สมชาย ใจดี': ['สวัสดีสมชาย', 'คุณสมชาย', 'สวัสดีค่ะคุณสมชาย'],
  'María José Pérez': [
    'hola-maria',
    'Hola María!',
    'bienvenida_maria',
    'holamaria',
    'feliz-cumpleaños-maria',
    'querida María José',
  ],
  'Claire Dupont': ['bonjour-claire', 'chère Claire', 'joyeux-anniversaire-claire', 'bonjourClaire'],
  'Anna Schmidt': [
    'hallo-anna',
    'liebe Anna',
    'willkommen-anna',
    'alles gute zum geburtstag anna',
    'Frau Schmidt',
  ],
  'Giulia Rossi': ['ciao-giulia', 'gentile signora Rossi', 'benvenutagiulia'],
  'João Silva': ['olá-joão', 'bem-vindo-joao', 'prezado Silva'],
  'Ayşe Yılmaz': ['merhaba-ayse', 'Ayşe’ye', 'hoş geldin Ayşe', 'sevgili-ayşe hanım'],
  'Katarzyna Nowak': ['dzień dobry Katarzyna', 'witaj-katarzyna', 'pani Nowak'],
  'Jan de Vries': ['beste-jan', 'welkom jan', 'meneer de Vries'],
  'রিনা আক্তার': ['প্রিয় রিনা', 'রিনাকে', 'স্বাগতম-রিনা', 'রিনা আপা'],
  'रीना शर्मा': ['नमस्ते रीना', 'प्रिय-रीना जी', 'रीनाजी'],
  'محمد علي': ['مرحبا محمد', 'عزيزي-محمد', 'لمحمد', 'أهلا وسهلا محمد'],
  'Иван Петров': ['привет-иван', 'уважаемый Иван', 'Иван, здравствуйте'],
};

it.each(Object.entries(mailings))('keeps no greeting to %s, in any field', (patient_name, values) => {
  const kept = values.filter((value) =>
    [value, encodeURIComponent(value)].some((one) => {
      const sent = { utm_source: one, utm_medium: one, utm_campaign: one, utm_term: one, utm_content: one };
      const page = `https://c.example/${encodeURIComponent(value)}?utm_campaign=${encodeURIComponent(one)}`;
      const found = readCampaign(
        { ...sent, landing_page: page, referrer: page },
        { patient_name, patient_phone: null },
      );
      const { landing_page, referrer, ...fields } = found;
      return (
        Object.values(fields).some((text) => text !== null) ||
        landing_page !== 'https://c.example/' ||
        referrer !== 'https://c.example/'
      );
    }),
  );

  expect(kept).toEqual([]);
});

it('looks at a long value of one script without spaces as fast as at any other', () => {
  const patient = { patient_name: '王小明', patient_phone: null };
  const value = '您好'.repeat(2_000);
  const started = performance.now();
  for (let n = 0; n < 20; n += 1) readCampaign({ utm_campaign: `${value}小明`, utm_term: value }, patient);

  // Some milliseconds each; unbounded, it would take minutes.
  expect(performance.now() - started).toBeLessThan(20_000);
});
