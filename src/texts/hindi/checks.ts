import type { checkTexts as english } from '../../domain/check-texts.ts';
import type { Translated } from '../catalogue.ts';

export const checks: Translated<typeof english> = {
  check_files: 'फ़ाइलें: {place} में लिखा जा सकता है',
  check_files_later: 'फ़ाइलें: {place} अभी नहीं है, बनाया जाएगा',
  check_inbox: 'इनबॉक्स: {place} में लिखा जा सकता है',
  check_inbox_later: 'इनबॉक्स: {place} अभी नहीं है, बनाया जाएगा',
  check_free: '{place} के लिए {size} खाली',
  check_free_little: '{place} के लिए {size} खाली\nउस डिस्क पर जगह बनाएँ।',
  check_xlsx: 'XLSX: संख्याएँ, तारीख़ें और शुरू के शून्य वैसे ही आते हैं',
  check_data: 'data प्रोफ़ाइल: ठीक-ठीक मान, प्रोग्रामों के लिए',
  check_excel:
    'excel प्रोफ़ाइल: खोलना सुरक्षित है, पर स्प्रेडशीट प्रोग्राम शुरू के शून्य हटा देता है (017…); `format: xlsx` उन्हें रखता है',
  check_inbox_clinic:
    'इनबॉक्स: कई क्लिनिक हैं और inbox_clinic नहीं दिया गया\ninbox_clinic दें, या हर फ़ाइल में clinic कॉलम रखें।',
  check_key: 'कुंजी: {address} की (स्प्रेडशीट इसी पते के साथ साझा करें)',
  check_key_open: 'कुंजी: इस मशीन के दूसरे उपयोगकर्ता {file} पढ़ सकते हैं\nचलाएँ: chmod 600 {file}',
  check_token: 'टोकन: Google कुंजी मानता है',
  check_read: 'पढ़ना: “{title}” पढ़ी जा सकती है',
  check_write: 'लिखना: {address} इसे बदल सकता है',
  check_bin:
    'ट्रैश: पता नहीं चला कि स्प्रेडशीट Google Drive के ट्रैश में है या नहीं\nGoogle Cloud Console में APIs & Services खोलें, Google Drive API खोजें और Enable दबाएँ।',
  check_keeper: 'रखने वाली: यह स्थापना',
  check_keeper_none: 'रखने वाली: अभी कोई नहीं; पहली बार में लिखा जाएगा',
  check_columns:
    'कॉलम: {place} में {columns} नहीं है\nवैसा ही रहता है। वापस लाने के लिए: “clinic-sync connectors repair”।',
  check_looks:
    'फ़ॉर्मैट: {place} के {columns} में नए टैब वाला फ़ॉर्मैट या चेतावनी नहीं है; शून्य खो सकते हैं या उत्तर बदले जा सकते हैं\nलगाने के लिए: “clinic-sync connectors repair”।',
  check_protection:
    'सुरक्षा: {place} की एक रेंज हमारे लिए बंद है\n“डेटा”, “शीट और रेंज सुरक्षित करें” में ऊपर के पते को बदलने की अनुमति दें।',
  check_copies: 'टैब: {tabs} clinic-sync के एक टैब की प्रति है और अपडेट नहीं होती\nउसे रिकॉर्ड के रूप में रखें, या हटाएँ।',
  check_tabs: 'टैब: {tabs}',
  check_tabs_later: 'टैब: {tabs}; पहली बार में बनेंगे: {missing}',
  check_month_first:
    'स्प्रेडशीट ({locale}) लिखे 05/01/2027 को 1 मई पढ़ती है, जबकि {zone} में इसका मतलब 5 जनवरी है।\nFile, Settings, Locale में बदलें, या दिन कैलेंडर से चुनें; Message हर दिन को शब्दों में बताता है।',
  check_locale: 'लोकेल {locale}, समय क्षेत्र {zone}',
  check_reachable: '{host} तक पहुँचा जा सकता है',
  check_certificate: '{host} तक पहुँचा जा सकता है और उसका प्रमाणपत्र मान्य है',
  check_unencrypted: 'मरीज़ों का डेटा बिना एन्क्रिप्शन के जाता है\nhttps लें, या include से patient हटाएँ।',
  check_short_secret: 'गुप्त कोड 24 बाइट से छोटा है\n`openssl rand -base64 24` से नया बनाएँ और आगे whsec_ लगाएँ।',
  check_form: 'बुकिंग फ़ॉर्म {path} पर है; वहाँ से भेजा जा सकता है',
  check_form_sites: 'बुकिंग फ़ॉर्म {path} पर है; वहाँ से और {sites} के फ़ॉर्म से भेजा जा सकता है',
  check_no_submission: 'अभी कोई अनुरोध नहीं आया',
};
