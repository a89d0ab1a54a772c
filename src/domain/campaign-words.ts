import { foldName } from '../platform/text/fold.ts';

const listed = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ').map(foldName)));

/**
 * Words that mailings and shops put around the recipient's name, by language. An extra word costs no attribution: they
 * only matter beside the patient's own name.
 */
export const addressing = listed(
  'hi hello hey dear welcome back for to from by and the of your you my a mr mrs ms miss mx happy birthday thanks',
  'thank lead good morning afternoon evening customer client patient user name friend referral referred invited',
  'invite gift only just',
  // Arabic, Persian, Urdu, Hebrew
  'مرحبا مرحبًا أهلا أهلاً وسهلا وسهلاً عزيزي عزيزتي السيد السيدة سيد سيدة يا ل لك شكرا عيد ميلاد سعيد إلى من',
  'السلام عليكم حضرة سلام عزیز آقای خانم خوش آمدید تولدت مبارک محترم جناب صاحب شکریہ שלום היי לכבוד מר גברת יקר',
  'יקרה ברוך הבא ברוכה הבאה תודה',
  // Bengali, Hindi, Marathi and others of India, as they are written and in Latin letters
  'প্রিয় হ্যালো হাই স্বাগতম স্বাগত নমস্কার আসসালামু আলাইকুম ধন্যবাদ শুভ জন্মদিন জনাব জনাবা বেগম ভাই আপা আপু দিদি',
  'দাদা কে র এর জি আপনার আপনাকে नमस्ते नमस्कार प्रिय आदरणीय स्वागत है धन्यवाद जन्मदिन मुबारक शुभ श्री श्रीमती जी को',
  'के का लिए आपका हैलो namaste namaskar priyo priya swagat swagatam shagotom dhonnobad shri smt ji bhai apa apu',
  'didi assalamu alaikum vanakkam',
  // Dutch, German, Scandinavian
  'hoi dag hallo beste geachte lieve welkom bij voor van aan meneer mevrouw dhr mevr bedankt dank je u fijne',
  'verjaardag gefeliciteerd guten tag morgen abend servus moin liebe lieber geehrte geehrter herr frau willkommen',
  'zuruck für von an bei alles gute zum geburtstag danke dich dir ihnen hej hei kære kjære kära bästa välkommen',
  'velkommen till til tack takk grattis herrn',
  // French, Italian, Portuguese, Spanish, Romanian
  'bonjour bonsoir salut coucou cher chère chers monsieur madame mademoiselle m mme mlle bienvenue bienvenu pour de',
  'à chez merci joyeux anniversaire bon ciao salve buongiorno buonasera caro cara gentile egregio signor signora',
  'sig bentornato bentornata benvenuto benvenuta per di da grazie buon compleanno olá oi bom boa dia tarde noite',
  'caro prezado prezada querido querida senhor senhora sr sra bem vindo vinda para do obrigado obrigada feliz',
  'aniversário parabéns hola buenos buenas días tardes noches estimado estimada señor señora bienvenido bienvenida',
  'gracias cumpleaños feliz bună dragă stimate domnul doamna mulțumesc',
  // Polish, Czech, Ukrainian, Russian, Greek
  'cześć hej dzień dobry witaj witamy drogi droga szanowny szanowna pan pani panie dla od do dziękujemy wszystkiego',
  'najlepszego ahoj dobrý den vážený vážená milý milá pane paní vítejte pro děkujeme привет здравствуйте здравствуй',
  'дорогой дорогая уважаемый уважаемая для от спасибо с днём рождения добро пожаловать привіт вітаємо шановний',
  'шановна дякуємо γεια σου σας αγαπητέ αγαπητή κύριε κυρία καλώς ήρθες για ευχαριστούμε',
  // Turkish, and its endings behind an apostrophe
  'merhaba selam selamlar sevgili sayın değerli bay bayan bey hanım hoş geldin geldiniz için teşekkürler doğum',
  'günün kutlu olsun iyi günler ye ya yi nin nun den dan',
  // Vietnamese, Indonesian, Malay, Tagalog, Swahili
  'chào xin mừng anh chị bạn thân mến kính gửi cho cảm ơn halo hai selamat datang kepada untuk bapak ibu kak terima',
  'kasih yth kumusta mahal na para sa salamat karibu jambo habari mpendwa kwa asante',
  // Chinese, Japanese, Korean, Thai: without spaces between the words
  '你好 您好 嗨 哈喽 亲爱的 親愛的 尊敬的 敬爱的 欢迎 歡迎 欢迎您 欢迎回来 歡迎回來 感谢 感謝 谢谢 謝謝 祝 生日快乐 生日快樂 给 給 先生 女士 小姐 同学 老师 客户 患者 さん さま 様 君 くん ちゃん',
  '殿 へ こんにちは ようこそ お帰りなさい 親愛なる ありがとう お誕生日おめでとう 님 씨 님께 님을 님의 고객님 안녕하세요 안녕 환영합니다 감사합니다 생일 สวัสดี สวัสดีค่ะ สวัสดีครับ',
  'คุณ คุณลูกค้า เรียน ถึง ยินดีต้อนรับ ขอบคุณ สุขสันต์วันเกิด สำหรับ',
);

/** Name particles that are also languages, countries or articles. */
export const particles = listed('van von der den del dos das bin ibn');

/** Calendar and advertising words that are also given names: on their own they identify no one. */
export const common = listed(
  'spring summer autumn fall winter january february march april may june july august september october november',
  'december monday tuesday wednesday thursday friday saturday sunday easter christmas noel eve valentine valentines',
  'mother mothers father google bing meta yahoo brand mail cpc organic ads search display social video sale new',
  'offer promo',
  // Spanish, Portuguese, Italian, French
  'primavera verano otoño invierno verão outono inverno estate autunno inverno printemps été automne hiver enero',
  'febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre janeiro fevereiro março maio',
  'junho julho setembro outubro novembro dezembro gennaio febbraio aprile maggio giugno luglio settembre ottobre',
  'dicembre janvier février mars avril juin juillet août septembre octobre novembre décembre domingo sábado natal',
  'natale navidad pascua páscoa pasqua pâques reyes carnaval',
  // German, Dutch, Polish
  'frühling frühjahr sommer herbst januar februar märz juni juli oktober dezember ostern weihnachten lente zomer',
  'herfst maart mei augustus wiosna lato jesień zima maj czerwiec lipiec sierpień',
  // Russian, Ukrainian
  'весна лето осень зима январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь рождество',
  'пасха літо осінь',
  // Turkish
  'bahar yaz kış ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık bayram ramazan kurban',
  'cuma pazar',
  // Arabic and the feasts of Islam
  'ramadan ramzan ramazan romjan muharram rajab shaban shawwal eid fitr adha ashura jumuah رمضان رجب شعبان شوال',
  'محرم عيد الفطر الأضحى ربيع صيف خريف شتاء نوروز nowruz norouz',
  // India and Bangladesh
  'holi diwali deepavali puja pooja durga navratri basant basanta boishakh baisakhi pohela sharad falgun রমজান ঈদ',
  'পূজা বসন্ত শরৎ বৈশাখ ফাল্গুন शरद बसंत वसंत पूजा होली दिवाली नवरात्रि सावन',
  // Chinese, Japanese, Korean
  '春节 春節 元旦 元宵 清明 端午 中秋 国庆 國慶 重阳 冬至 立春 小雪 大雪 春季 夏季 秋季 冬季 建军 母亲节 父亲节 正月 立夏 小春 千秋 봄 여름 가을 겨울 설날 추석',
);
