import type { failureTexts as english } from '../../domain/failure-texts.ts';
import type { Translated } from '../catalogue.ts';

export const failures: Translated<typeof english> = {
  google_sign_in_ended:
    'Google अब साइन-इन नहीं मानता: वह रद्द किया गया या उसकी अवधि पूरी हो गई।\nफिर से साइन इन करें: “clinic-sync connectors login”। OAuth ऐप “Testing” में हो तो Google हर साइन-इन सात दिन बाद ख़त्म करता है: ऐप प्रकाशित करें या “Internal” करें।',
  google_client_unknown:
    'Google साइन-इन के OAuth क्लाइंट को नहीं पहचानता।\nक्लाइंट की JSON फिर से डाउनलोड करें, फिर: “clinic-sync connectors login”।',
  google_key_refused:
    'Google {address} की कुंजी नहीं मानता: कुंजी या खाता रद्द किया गया या हटाया गया।\nसर्विस खाते की नई कुंजी बनाएँ (Keys, Add key, JSON) और पुरानी की जगह रखें।',
  google_clock:
    'Google हमारा साइन-इन नहीं मानता, क्योंकि इस मशीन की घड़ी ग़लत है।\nघड़ी ठीक करें (NTP), फिर दोबारा कोशिश करें।',
  google_account_disabled:
    'Google ने {address} को बंद कर दिया है।\nGoogle Cloud Console में खाता चालू करें (IAM & Admin, Service accounts) या नया बनाएँ।',
  google_client_disabled:
    'Google ने {address} को बंद कर दिया है।\nGoogle Cloud Console में प्रोजेक्ट के क्रेडेंशियल देखें या नए बनाएँ।',
  google_slow_down: 'Google हमें धीमा होने को कह रहा है ({status})।\nकुछ नहीं करना है: एक मिनट में काम आगे चलेगा।',
  google_token_refused: 'Google ने हमारा टोकन नहीं माना।\nअगली कोशिश नया टोकन माँगेगी।',
  google_reauth:
    'Google {address} से फिर साइन इन करने को कह रहा है: संगठन हर कुछ घंटों में यह चाहता है।\nसाइन इन करें: “clinic-sync connectors login”। सर्विस खाते से, या Google एडमिनिस्ट्रेटर की ऐप को दी गई छूट से इसकी ज़रूरत नहीं रहती।',
  google_client_unauthorized:
    'Google इस क्लाइंट को {address} के रूप में साइन इन नहीं करने देता: वह हटा दिया गया है, या किसी और तरह के साइन इन के लिए बना है।\nDesktop app प्रकार का OAuth क्लाइंट (या नई कुंजी) बनाएँ, फिर: “clinic-sync connectors login”।',
  google_project_suspended:
    'Google ने {address} का Cloud प्रोजेक्ट निलंबित कर दिया है।\nमालिक को भेजा Google का ई-मेल पढ़ें और Google Cloud कंसोल में अपील करें, या किसी दूसरे प्रोजेक्ट का खाता इस्तेमाल करें।',
  google_project_gone:
    '{address} का Cloud प्रोजेक्ट हटा दिया गया है।\nउसे 30 दिनों के भीतर Google Cloud कंसोल में वापस लाएँ (IAM & Admin, Manage resources), या किसी दूसरे प्रोजेक्ट में खाता बनाएँ।',
  google_billing:
    '{address} के Cloud प्रोजेक्ट में बिलिंग बंद है, जबकि Google के लिए यह ज़रूरी है।\nGoogle Cloud कंसोल में बिलिंग चालू करें, या किसी दूसरे प्रोजेक्ट का खाता इस्तेमाल करें।',
  google_address_blocked:
    'Google इस मशीन के नेटवर्क पते से आने वाली कॉल अस्वीकार कर रहा है।\nक्लाइंट में और संगठन के एक्सेस लेवल में पते की पाबंदियाँ देखें, और इस पते को वहाँ अनुमति दें।',
  google_other_reason:
    'Google ने {address} को यह करने से मना किया: {reason}।\nइस कारण को Google के दस्तावेज़ों में खोजें, या अपने Google एडमिनिस्ट्रेटर से पूछें।',
  google_no_project:
    'Google नहीं जानता कि हमारी कॉल आपके किस प्रोजेक्ट की हैं।\nचलाएँ: gcloud auth application-default set-quota-project PROJECT; उस प्रोजेक्ट में Google Sheets API चालू होनी चाहिए।',
  google_scope:
    '{address} के साइन-इन में स्प्रेडशीट शामिल नहीं हैं।\nउनके लिए साइन इन करें: clinic-sync connectors login, या {login}। Google की वर्चुअल मशीन को {scope} स्कोप चाहिए।',
  google_api_off:
    'सर्विस खाते के प्रोजेक्ट में Google Sheets API बंद है।\nGoogle Cloud Console में APIs & Services खोलें, Google Sheets API खोजें और Enable दबाएँ।',
  google_drive_full:
    'स्प्रेडशीट के मालिक की Google Drive भर गई है।\nवहाँ जगह बनाएँ (Gmail और Photos में भी), या स्प्रेडशीट किसी ऐसे को दें जिसके पास जगह हो।',
  google_policy:
    'Google पर आपके संगठन के नियम {address} को यह नहीं करने देते।\nGoogle एडमिनिस्ट्रेटर से अनुमति माँगें, या संगठन के किसी व्यक्ति के रूप में साइन इन करें: “clinic-sync connectors login”।',
  google_read_only:
    '{address} स्प्रेडशीट देख सकता है, पर बदल नहीं सकता।\nस्प्रेडशीट इस पते के साथ संपादक के रूप में साझा करें।',
  google_not_shared: 'स्प्रेडशीट {address} के साथ साझा नहीं है।\nउसे इस पते के साथ संपादक के रूप में साझा करें।',
  google_no_spreadsheet:
    'इस आईडी की कोई स्प्रेडशीट नहीं है: वह ग़लत लिखी है, या स्प्रेडशीट हटा दी गई है।\nब्राउज़र से उसका पता `spreadsheet` में कॉपी करें; Google Drive के ट्रैश में देखें।',
  google_typed_columns:
    'जहाँ किसी ने कॉलम-प्रकार वाली तालिका बनाई है, वहाँ Google हमारी ड्रॉप-डाउन सूचियाँ और चेकबॉक्स नहीं लेता।\nकुछ नहीं खोता: नाम टाइप किए जा सकते हैं। वापस पाने के लिए उस तालिका को बिना फ़ॉर्मैट के डेटा में बदलें।',
  google_protected:
    'स्प्रेडशीट में कुछ {address} से सुरक्षित है।\n“डेटा”, “शीट और रेंज सुरक्षित करें” में इस पते को बदलने की अनुमति दें; बाकी सब अपडेट रहता है।',
  google_full:
    'स्प्रेडशीट भर गई है: Google एक करोड़ सेल देता है।\nखाली पंक्तियाँ, कॉलम या पुराने टैब हटाएँ, या clinic-sync को अलग स्प्रेडशीट दें।',
  google_tab_gone: 'एक टैब हटाया गया।\nवह फिर से बनाया जाएगा।',
  google_excel:
    'फ़ाइल Google Drive में रखी Excel कार्यपुस्तिका है, Google स्प्रेडशीट नहीं।\nउसे खोलें और “फ़ाइल”, “Google Sheets के रूप में सहेजें” चुनें; फिर नई फ़ाइल का पता दें।',
  google_changed: 'उसी पल स्प्रेडशीट बदली गई।\nवह फिर से पढ़ी जाएगी।',
  google_refused: 'Google ने हमारा अनुरोध ठुकरा दिया ({words})।\nयह कनेक्टर की गड़बड़ी है; समय के साथ सूचित करें।',
  google_cell_refused:
    'clinic-sync वहाँ जो लिखता है, Google उसे ठुकराता है{cell}: {words}।\nवहाँ हाथ से किया गया पिछला बदलाव वापस लें (नियम, तालिका, मर्ज, सुरक्षा); पाँच मिनट के भीतर फिर कोशिश होगी।',
  google_unreachable:
    'Google तक पहुँचा नहीं जा सका{code}।\nऐसा चलता रहे तो नेटवर्क जाँचें, और देखें कि फ़ायरवॉल sheets.googleapis.com और oauth2.googleapis.com को जाने देता है।',
  google_certificate:
    'Google से सुरक्षित कनेक्शन नहीं बना{code}।\nरास्ते में कुछ और उसकी जगह जवाब दे रहा है: फ़ायरवॉल या प्रॉक्सी में Google को जाँच से छूट दें, या NODE_EXTRA_CA_CERTS में उनकी सर्टिफ़िकेट अथॉरिटी का प्रमाणपत्र दें।',
  google_redirect:
    'Google ने दूसरे पते पर भेजा ({status}), वहाँ नहीं जाया जाता।\nऐसा चलता रहे तो शायद Google की जगह कोई प्रॉक्सी या फ़ायरवॉल जवाब देता है।',
  google_web_page:
    'Google की जगह एक वेब पेज ({status}) आया।\nऐसा चलता रहे तो इस नेटवर्क के प्रॉक्सी, फ़ायरवॉल या साइन-इन पोर्टल में sheets.googleapis.com और oauth2.googleapis.com को जाने दें।',
  google_odd_answer:
    'Google की जगह जो जवाब ({status}) आया, वह माँगी गई चीज़ नहीं है; उसमें से कुछ भी इस्तेमाल नहीं हुआ।\nऐसा चलता रहे तो ऐसा प्रॉक्सी या फ़ायरवॉल खोजें जो Google की जगह जवाब देता हो।',
  google_status: 'Google ने {status} जवाब दिया।\nफिर से कोशिश होगी।',
  sheet_of_another:
    'स्प्रेडशीट clinic-sync की दूसरी स्थापना ({name}) की है; उसमें कुछ नहीं लिखा जाता और उससे कोई बुकिंग नहीं ली जाती।\nवह अब न चलती हो (या उसका डेटाबेस खो गया हो) तो `adopt: {name}` लिखें और फिर से चालू करें।',
  folder_denied:
    '{place} में लिखने की अनुमति नहीं है।\nउपयोगकर्ता {user} को वहाँ पढ़ने और लिखने दें (मालिक या वॉल्यूम के विकल्प), या दूसरा फ़ोल्डर चुनें।',
  folder_read_only: '{place} केवल पढ़ने वाले फ़ाइल सिस्टम पर है।\nवॉल्यूम को लिखने योग्य माउंट करें, या दूसरा फ़ोल्डर चुनें।',
  folder_is_file:
    '{place} फ़ोल्डर नहीं हो सकता: उसकी जगह एक फ़ाइल है।\nवह फ़ाइल हटाकर दूसरी जगह रखें, या दूसरा फ़ोल्डर चुनें।',
  share_away:
    '{place} का नेटवर्क शेयर माउंट नहीं है, इसलिए वहाँ कुछ नहीं लिखा जाता।\nउसे फिर से माउंट करें। अगर फ़ाइलें अब शेयर के बिना यहीं रहनी हैं, तो clinic-sync connectors repair चलाएँ।',
  inbox_away:
    '{place} खाली है, जबकि यहाँ से पहले फ़ाइलें ली जा चुकी हैं: शायद नेटवर्क शेयर माउंट नहीं है।\nउसे फिर से माउंट करें। फ़ोल्डर को खाली ही रहना है, तो उसमें done फ़ोल्डर बनाएँ।',
  disk_full: '{place} के लिए जगह नहीं बची।\nउस डिस्क पर जगह बनाएँ; लिखना फिर आगे चलेगा।',
  write_failed: '{place} में लिखा नहीं जा सका{code}।\nडिस्क या नेटवर्क शेयर जाँचें।',
  file_in_use:
    '{place} बदली नहीं जा सकी{code}।\nजहाँ खुली है वहाँ बंद करें, या clinic-sync को उसे बदलने दें; बाकी फ़ाइलें अद्यतन हैं।',
  receiver_rejects: 'प्राप्तकर्ता ने {status} जवाब दिया।\nउसका लॉग देखें: वह यह घटना नहीं लेता।',
  receiver_denies: 'प्राप्तकर्ता ने {status} जवाब दिया।\nदोनों तरफ़ गुप्त कोड और हेडर जाँचें।',
  receiver_clock:
    'प्राप्तकर्ता ने {status} जवाब दिया, और इस मशीन की घड़ी उसकी घड़ी से {minutes} मिनट अलग है।\nघड़ी ठीक करें (NTP): हस्ताक्षर कुछ ही मिनट मान्य रहता है।',
  receiver_not_there: 'प्राप्तकर्ता ने {status} जवाब दिया।\nurl जाँचें: वहाँ उसका कुछ नहीं है।',
  receiver_no_post: 'प्राप्तकर्ता ने {status} जवाब दिया।\nurl जाँचें: वहाँ वह POST नहीं लेता।',
  receiver_gone:
    'प्राप्तकर्ता ने {status} जवाब दिया।\nउसे और घटनाएँ नहीं चाहिए। कनेक्टर हटाएँ, या यह ग़लत हो तो फिर चालू करें।',
  receiver_too_large: 'प्राप्तकर्ता ने {status} जवाब दिया।\nउसे बड़े संदेश लेने दें, या thin: true लिखें।',
  receiver_slow_down: 'प्राप्तकर्ता ने {status} जवाब दिया।\nrate उतना रखें जितना वह लेता है।',
  receiver_redirect: 'प्राप्तकर्ता ने {status} जवाब दिया।\nदूसरे पते पर नहीं जाया जाता: नया पता url में लिखें।',
  receiver_broken: 'प्राप्तकर्ता ने {status} जवाब दिया।\nगड़बड़ी उसकी अपनी है; उसका लॉग देखें।',
  receiver_web_page:
    'प्राप्तकर्ता ने {status} के साथ एक वेब पेज भेजा; ऐसा पहले कभी नहीं हुआ।\nजाँचें कि url अब भी प्राप्तकर्ता तक ले जाता है: शायद डोमेन किसी और का हो गया है, या उसकी जगह कोई पोर्टल जवाब देता है।',
  receiver_status: 'प्राप्तकर्ता ने {status} जवाब दिया।',
  paused_by: 'रोकने वाले: {who}।',
  paused_by_person: 'किसी ने रोका है।',
  paused_outage: 'एक दिन तक कुछ भी पहुँचाया नहीं जा सका ({detail})। कुछ नहीं खोया; हर घंटे कोशिश होती है।',
};
