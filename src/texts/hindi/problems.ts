import type { problemTexts as english } from '../../domain/problem-texts.ts';
import type { Translated } from '../catalogue.ts';

export const problems: Translated<typeof english> = {
  texts_cut: {
    one: '{place}: 1 पाठ सेल में नहीं समाता और काट दिया गया है।',
    other: '{place}: {count} पाठ सेल में नहीं समाते और काट दिए गए हैं।',
  },
  file_unread: '{place} की एक फ़ाइल पढ़ी नहीं जा सकती (EIO): डिस्क जाँचें।',
  files_failed: {
    one: '{place} में 1 फ़ाइल: वह बुक नहीं हुई, या पूरी नहीं हुई। पास की .error.txt में कारण लिखा है; सुधारें, फिर से डालें, वहाँ से हटाएँ।',
    other:
      '{place} में {count} फ़ाइलें: वे बुक नहीं हुईं, या पूरी नहीं हुईं। हर एक के पास की .error.txt में कारण लिखा है; सुधारें, फिर से डालें, वहाँ से हटाएँ।',
  },
  files_other:
    '{place} में {names}: यह न .csv फ़ाइल है, न .xlsx वर्कबुक, इसलिए बुक नहीं होती। इसे वहीं CSV के रूप में सहेजें या कहीं और ले जाएँ।',
  files_unnameable: {
    one: '{place} की 1 फ़ाइल नहीं खुलती, क्योंकि उसका नाम UTF-8 में नहीं है: सादे अक्षरों में नाम दें।',
    other: '{place} की {count} फ़ाइलें नहीं खुलतीं, क्योंकि उनके नाम UTF-8 में नहीं हैं: सादे अक्षरों में नाम दें।',
  },
  files_in_folders: '{names}: {place} के अंदर के एक फ़ोल्डर में है, जहाँ कुछ नहीं पढ़ा जाता। इसे सीधे {place} में ले जाएँ।',
  files_online_only:
    '{place} में {names}: यह क्लाउड ड्राइव का केवल प्लेसहोल्डर है, इसमें सामग्री नहीं है। इसे वहाँ ऑफ़लाइन उपलब्ध कराएँ।',
  files_unsettled: '{place} में {names}: {since} से अधूरी है, इसलिए पढ़ी नहीं जाती। इसे फिर से कॉपी करें या वहाँ से हटाएँ।',
  files_of_others:
    '{place} में {names}: यूज़र आईडी {user} इसे दूसरी जगह नहीं ले जा सकता, क्योंकि यह {owner} की है। इसे यूज़र आईडी {user} को दें या फ़ोल्डर का sticky bit हटाएँ; बाकी सब चलता रहता है।',
  files_not_ours:
    '{place} में {names}: इसे clinic-sync ने नहीं लिखा, या बाद में बदला गया, इसलिए यह जैसी है वैसी रहती है। इसका नाम बदलें या कहीं और ले जाएँ, क्योंकि clinic-sync को यह नाम चाहिए।',
  files_stuck: '{place} में {names}: नहीं ली जा सकी{code}। जहाँ खुली है वहाँ बंद करें या नाम बदलें; बाकी सब चलता रहता है।',
  sheet_in_bin:
    'स्प्रेडशीट Google Drive के ट्रैश में है: टिक की हुई पंक्तियाँ बुक होती हैं, बाकी सब रुका है। उसका मालिक उसे वहाँ से लौटाए या clinic-sync को दूसरी दे; 30 दिन बाद Google उसे मिटा देता है।',
  sheet_full:
    'स्प्रेडशीट भर गई है (Google एक करोड़ सेल देता है): नया कुछ नहीं जुड़ता। खाली पंक्तियाँ, कॉलम या पुराने टैब हटाएँ।',
  tab_unmarked: '{place}: इस पर अब clinic-sync के निशान नहीं हैं; यह अपडेट नहीं होता।',
  bookings_unmarked:
    '{place}: इस पर अब clinic-sync के निशान नहीं हैं; टिक की हुई पंक्तियाँ बुक नहीं होतीं। उन्हें मौजूदा टैब में ले जाएँ।',
  tab_gone:
    '{place}: टैब गायब था, इसलिए clinic-sync एक मिनट बाद नया बनाता है। लोगों ने जो जोड़ा था, वह स्प्रेडशीट के संस्करण इतिहास में है; टैब नहीं चाहिए तो उसे `tabs` से हटाएँ।',
  writes_undone:
    '{place}: clinic-sync जो लिखता है, वह टिकता नहीं; हर बार पढ़ने पर पुराने सेल ही दिखते हैं। स्प्रेडशीट में ऐसी स्क्रिप्ट, या Google के आगे ऐसा प्रॉक्सी खोजें जो इसे पलट देता हो।',
  tab_copied: '{place}: clinic-sync के एक टैब की प्रति; यह अपडेट नहीं होती।',
  bookings_copied: '{place}: clinic-sync के एक टैब की प्रति; टिक की हुई पंक्तियाँ बुक नहीं होतीं।',
  copy_ticked: {
    one: 'Bookings की प्रति में टिक की हुई 1 पंक्ति बुक नहीं हुई। उसे मौजूदा टैब में ले जाएँ।',
    other: 'Bookings की प्रति में टिक की हुई {count} पंक्तियाँ बुक नहीं हुईं। उन्हें मौजूदा टैब में ले जाएँ।',
  },
  part_drop_downs: 'Bookings की ड्रॉप-डाउन सूचियाँ',
  part_stale_colour: 'Sync में STALE का रंग',
  part_age: '{tab} कितनी पुरानी है, वह सेल',
  part_ages: 'टैब कितने पुराने हैं, वह सेल',
  part_charts: 'Overview के चार्ट',
  part_refused: '{place}: अपडेट नहीं हुआ। {detail}',
  id_column_gone:
    '{place}: ID (या Clinic) कॉलम हटा दिया गया, इसलिए पंक्तियाँ पहचानी नहीं जातीं और टैब वैसा ही छोड़ा गया है। हटाना वापस लें या चलाएँ: “clinic-sync connectors repair”।',
  cells_drifted: {
    one: '{place}: 1 सेल हाथ से बदला गया और वैसा ही छोड़ा गया (on_drift: report)।',
    other: '{place}: {count} सेल हाथ से बदले गए और वैसे ही छोड़े गए (on_drift: report)।',
  },
  rows_doubled: {
    one: '{place}: {ids} एक से अधिक पंक्तियों में है; जोड़ उसे दो बार गिनते हैं। प्रति हटाएँ।',
    other: '{place}: {ids} एक से अधिक पंक्तियों में हैं; जोड़ उन्हें दो बार गिनते हैं। प्रतियाँ हटाएँ।',
  },
  rows_unknown: {
    one: '{place}: पंक्ति {rows} का ID या Clinic अज्ञात है; वह अपडेट नहीं होती और जोड़ उसे दो बार गिन सकते हैं। उसे हटाएँ।',
    other:
      '{place}: पंक्तियों {rows} का ID या Clinic अज्ञात है; वे अपडेट नहीं होतीं और जोड़ उन्हें दो बार गिन सकते हैं। उन्हें हटाएँ।',
  },
  cells_hidden: {
    one: '{place}: हमारा 1 सेल मर्ज किए सेलों में छिपा है; न पढ़ा जाता है, न लिखा जाता है। मर्ज हटाएँ।',
    other: '{place}: हमारे {count} सेल मर्ज किए सेलों में छिपे हैं; न पढ़े जाते हैं, न लिखे जाते हैं। मर्ज हटाएँ।',
  },
  cells_merged: {
    one: '{place}: 1 सेल या पंक्ति ताज़ा नहीं है, क्योंकि वहाँ सेल मर्ज किए गए हैं। मर्ज हटाएँ।',
    other: '{place}: {count} सेल या पंक्तियाँ ताज़ा नहीं हैं, क्योंकि वहाँ सेल मर्ज किए गए हैं। मर्ज हटाएँ।',
  },
  tab_protected: {
    one: '{place}: 1 सेल या पंक्ति ताज़ा नहीं है, क्योंकि टैब सुरक्षित है। clinic-sync के पते को उसे बदलने की अनुमति दें।',
    other:
      '{place}: {count} सेल या पंक्तियाँ ताज़ा नहीं हैं, क्योंकि टैब सुरक्षित है। clinic-sync के पते को उसे बदलने की अनुमति दें।',
  },
  range_protected: {
    one: '{place}: 1 सेल या पंक्ति ताज़ा नहीं है, क्योंकि रेंज {range} सुरक्षित है। clinic-sync के पते को उसे बदलने की अनुमति दें।',
    other:
      '{place}: {count} सेल या पंक्तियाँ ताज़ा नहीं हैं, क्योंकि रेंज {range} सुरक्षित है। clinic-sync के पते को उसे बदलने की अनुमति दें।',
  },
  columns_gone: {
    one: '{place}: कॉलम {columns} अपडेट नहीं होता: हटाया गया, या उस पर हमारा निशान नहीं है। वापस लाने के लिए: “clinic-sync connectors repair”।',
    other:
      '{place}: कॉलम {columns} अपडेट नहीं होते: हटाए गए, या उन पर हमारा निशान नहीं है। वापस लाने के लिए: “clinic-sync connectors repair”।',
  },
  fees_as_text: {
    one: '{place}: 1 शुल्क पाठ के रूप में लिखा है: स्प्रेडशीट संख्या को ठीक-ठीक नहीं रख सकती।',
    other: '{place}: {count} शुल्क पाठ के रूप में लिखे हैं: स्प्रेडशीट संख्याओं को ठीक-ठीक नहीं रख सकती।',
  },
  booking_columns_gone: {
    one: '{place}: कॉलम {columns} हटा दिया गया, इसलिए इस टैब से कोई बुकिंग नहीं ली जाती। हटाना वापस लें या चलाएँ: “clinic-sync connectors repair”।',
    other:
      '{place}: कॉलम {columns} हटा दिए गए, इसलिए इस टैब से कोई बुकिंग नहीं ली जाती। हटाना वापस लें या चलाएँ: “clinic-sync connectors repair”।',
  },
  row_refused: '{place}: {ref} नहीं ली गई। {detail}',
  answers_closed: {
    one: '{place}: 1 सेल में लिखा नहीं जा सकता, क्योंकि वह सुरक्षित या मर्ज है। clinic-sync के पते को Ref, State, Appointment, Message, Updated और Send बदलने की अनुमति दें।',
    other:
      '{place}: {count} सेलों में लिखा नहीं जा सकता, क्योंकि वे सुरक्षित या मर्ज हैं। clinic-sync के पते को Ref, State, Appointment, Message, Updated और Send बदलने की अनुमति दें।',
  },
  rows_changed:
    '{place}: भेजने के बाद बदला गया, इसलिए क्लिनिक को पता नहीं: {rows}।\nक्लिनिक को फ़ोन करें। यह तब तक दिखेगा जब तक अपॉइंटमेंट बीत न जाए या पंक्ति में फिर वही न हो जो भेजा गया था।',
  rows_overtyped:
    '{place}: {rows} के ऊपर दूसरा मरीज़ लिखा गया है, और उसकी बुकिंग नहीं हुई है।\nउसे उसकी अपनी पंक्ति में लिखें।',
  columns_unmarked:
    '{place}: {columns} कॉलम ने हमारा निशान खो दिया है, इसलिए अपडेट नहीं होता।\nचलाएँ: “clinic-sync connectors repair”।',
  booking_columns_unmarked:
    '{place}: {columns} कॉलम ने हमारा निशान खो दिया है, इसलिए इस टैब से कोई बुकिंग नहीं ली जाती।\nचलाएँ: “clinic-sync connectors repair”।',
  columns_moved:
    '{place}: {columns} को काटकर कहीं और चिपकाया गया, और हमारा निशान पीछे रह गया; वहाँ न कुछ लिखा जाता है, न पढ़ा।\nचलाएँ: “clinic-sync connectors repair”। यह निशान को नई जगह ले जाता है।',
  header_gone: '{place}: शीर्षकों की पंक्ति हटा दी गई है।\nवापस लाने के लिए: “clinic-sync connectors repair”।',
  cells_written_back:
    '{place}: कोई स्क्रिप्ट, ऐड-ऑन या व्यक्ति clinic-sync का लिखा बार-बार वापस बदल देता है: {cells}।\nउसे Extensions में ढूँढकर बंद करें।',
  ref_closed:
    '{place}: जब तक Ref सुरक्षित या मर्ज है, इस टैब से कुछ बुक नहीं होता।\nclinic-sync के पते को Ref, State, Appointment, Message, Updated और Send बदलने की अनुमति दें।',
  erased_shown:
    '{place}: {refs}: भेजने के बाद पंक्ति बदली गई, और व्यक्ति को तब से मिटा दिया गया है। उसका जो अब भी दिखता है उसे हटाएँ, या किसी और की पंक्ति हो तो Ref खाली करें।',
  deliveries_held_up: {
    one: '1 घटना {since} से रुकी है और {until} को फिर भेजी जाएगी। {detail}',
    other: '{count} घटनाएँ {since} से रुकी हैं; अगली कोशिश {until} को है। {detail}',
  },
};
