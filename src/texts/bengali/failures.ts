import type { failureTexts as english } from '../../domain/failure-texts.ts';
import type { Translated } from '../catalogue.ts';

export const failures: Translated<typeof english> = {
  google_sign_in_ended:
    'Google আর সাইন-ইন মানছে না: বাতিল করা হয়েছে বা মেয়াদ শেষ।\nআবার সাইন ইন করুন: “clinic-sync connectors login”। OAuth অ্যাপ “Testing” অবস্থায় থাকলে Google সাত দিন পর প্রতিটি সাইন-ইন শেষ করে: অ্যাপটি প্রকাশ করুন বা “Internal” করুন।',
  google_client_unknown:
    'Google সাইন-ইনের OAuth ক্লায়েন্টটি চেনে না।\nক্লায়েন্টের JSON আবার নামান, তারপর: “clinic-sync connectors login”।',
  google_key_refused:
    'Google {address}-এর চাবি মানছে না: চাবি বা অ্যাকাউন্ট বাতিল বা মোছা হয়েছে।\nসার্ভিস অ্যাকাউন্টের নতুন চাবি বানান (Keys, Add key, JSON) এবং পুরোনোটির জায়গায় রাখুন।',
  google_clock: 'Google আমাদের সাইন-ইন মানছে না, কারণ এই মেশিনের ঘড়ি ভুল।\nঘড়ি ঠিক করুন (NTP), তারপর আবার চেষ্টা করুন।',
  google_account_disabled:
    'Google {address} বন্ধ করে দিয়েছে।\nGoogle Cloud Console-এ অ্যাকাউন্টটি চালু করুন (IAM & Admin, Service accounts) বা নতুন বানান।',
  google_client_disabled:
    'Google {address} বন্ধ করে দিয়েছে।\nGoogle Cloud Console-এ প্রকল্পের ক্রেডেনশিয়াল দেখুন বা নতুন বানান।',
  google_slow_down: 'Google আমাদের ধীরে চলতে বলছে ({status})।\nকিছু করার নেই: এক মিনিটে আবার চলবে।',
  google_token_refused: 'Google আমাদের টোকেন মানেনি।\nপরের চেষ্টায় নতুন টোকেন চাওয়া হবে।',
  google_reauth:
    'Google {address}-কে আবার সাইন ইন করতে বলছে: প্রতিষ্ঠানটি কয়েক ঘণ্টা পরপর এটি চায়।\nসাইন ইন করুন: “clinic-sync connectors login”। সার্ভিস অ্যাকাউন্ট ব্যবহার করলে, বা Google প্রশাসক অ্যাপটিকে ছাড় দিলে এটি লাগে না।',
  google_client_unauthorized:
    'Google এই ক্লায়েন্টকে {address} হিসেবে সাইন ইন করতে দেয় না: এটি মুছে ফেলা হয়েছে, বা অন্য ধরনের সাইন ইনের জন্য তৈরি।\nDesktop app ধরনের একটি OAuth ক্লায়েন্ট (বা নতুন কী) তৈরি করুন, তারপর: “clinic-sync connectors login”।',
  google_project_suspended:
    'Google {address}-এর Cloud প্রকল্প স্থগিত করেছে।\nমালিককে পাঠানো Google-এর ই-মেইল পড়ুন এবং Google Cloud কনসোলে আপিল করুন, বা অন্য প্রকল্পের অ্যাকাউন্ট ব্যবহার করুন।',
  google_project_gone:
    '{address}-এর Cloud প্রকল্প মুছে ফেলা হয়েছে।\n৩০ দিনের মধ্যে Google Cloud কনসোলে ফিরিয়ে আনুন (IAM & Admin, Manage resources), বা অন্য প্রকল্পে অ্যাকাউন্ট তৈরি করুন।',
  google_billing:
    '{address}-এর Cloud প্রকল্পে বিলিং বন্ধ, অথচ Google তা চায়।\nGoogle Cloud কনসোলে বিলিং চালু করুন, বা অন্য প্রকল্পের অ্যাকাউন্ট ব্যবহার করুন।',
  google_address_blocked:
    'Google এই মেশিনের নেটওয়ার্ক ঠিকানা থেকে আসা কল প্রত্যাখ্যান করছে।\nক্লায়েন্টে ও প্রতিষ্ঠানের অ্যাক্সেস লেভেলে ঠিকানার বিধিনিষেধ দেখুন, এবং এই ঠিকানাকে অনুমতি দিন।',
  google_other_reason:
    'Google {address}-কে এটি করতে দেয়নি: {reason}।\nGoogle-এর নথিতে এই কারণটি খুঁজুন, বা আপনার Google প্রশাসককে জিজ্ঞাসা করুন।',
  google_no_project:
    'আমাদের কলগুলো আপনার কোন প্রকল্পের, Google তা জানে না।\nচালান: gcloud auth application-default set-quota-project PROJECT; প্রকল্পটিতে Google Sheets API চালু থাকতে হবে।',
  google_scope:
    '{address}-এর সাইন-ইনে স্প্রেডশিট নেই।\nএর জন্য সাইন ইন করুন: clinic-sync connectors login, বা {login}। Google-এর ভার্চুয়াল মেশিনের {scope} স্কোপ লাগে।',
  google_api_off:
    'সার্ভিস অ্যাকাউন্টের প্রকল্পে Google Sheets API বন্ধ।\nGoogle Cloud Console-এ APIs & Services খুলুন, Google Sheets API খুঁজে Enable চাপুন।',
  google_drive_full:
    'স্প্রেডশিটের মালিকের Google Drive ভর্তি।\nসেখানে জায়গা করুন (Gmail ও Photos-এও), বা যাঁর জায়গা আছে তাঁকে স্প্রেডশিটটি দিন।',
  google_policy:
    'Google-এ আপনার প্রতিষ্ঠানের নিয়ম {address}-কে এটি করতে দেয় না।\nGoogle প্রশাসককে অনুমতি দিতে বলুন, বা প্রতিষ্ঠানের কেউ হিসেবে সাইন ইন করুন: “clinic-sync connectors login”।',
  google_read_only:
    '{address} স্প্রেডশিট দেখতে পারে, কিন্তু বদলাতে পারে না।\nএই ঠিকানার সঙ্গে সম্পাদক হিসেবে স্প্রেডশিট শেয়ার করুন।',
  google_not_shared: 'স্প্রেডশিটটি {address}-এর সঙ্গে শেয়ার করা নেই।\nএই ঠিকানার সঙ্গে সম্পাদক হিসেবে শেয়ার করুন।',
  google_no_spreadsheet:
    'এই আইডির কোনো স্প্রেডশিট নেই: ভুল লেখা হয়েছে, বা স্প্রেডশিটটি মোছা হয়েছে।\nব্রাউজার থেকে ঠিকানাটি `spreadsheet`-এ কপি করুন; Google Drive-এর বিনে দেখুন।',
  google_typed_columns:
    'যেখানে কেউ কলামের ধরন দেওয়া টেবিল বানিয়েছেন, সেখানে Google আমাদের ড্রপ-ডাউন ও চেকবক্স নেয় না।\nকিছু হারায় না: নাম টাইপ করা যায়। ফিরে পেতে টেবিলটিকে সাধারণ ডেটায় বদলান।',
  google_protected:
    'স্প্রেডশিটের কিছু অংশ {address}-এর জন্য সুরক্ষিত।\n“ডেটা”, “শিট ও রেঞ্জ সুরক্ষিত করুন”-এ এই ঠিকানাকে সম্পাদনার অনুমতি দিন; বাকি সব হালনাগাদ থাকে।',
  google_full:
    'স্প্রেডশিট ভর্তি: Google এক কোটি ঘর দেয়।\nফাঁকা সারি, কলাম বা পুরোনো ট্যাব মুছুন, বা clinic-sync-কে আলাদা স্প্রেডশিট দিন।',
  google_tab_gone: 'একটি ট্যাব মোছা হয়েছে।\nআবার বানানো হবে।',
  google_excel:
    'ফাইলটি Google Drive-এ রাখা Excel ওয়ার্কবুক, Google স্প্রেডশিট নয়।\nখুলে “ফাইল”, “Google Sheets হিসেবে সেভ করুন” বাছুন; তারপর নতুন ফাইলের ঠিকানা দিন।',
  google_changed: 'একই মুহূর্তে স্প্রেডশিট বদলানো হয়েছে।\nআবার পড়া হবে।',
  google_refused: 'আমরা যা চেয়েছি Google তা দেয়নি ({words})।\nএটি কানেক্টরের ত্রুটি; সময়সহ জানান।',
  google_cell_refused:
    'clinic-sync সেখানে যা লেখে Google তা নেয় না{cell}: {words}।\nসেখানে হাতে করা শেষ বদলটি ফিরিয়ে নিন (নিয়ম, টেবিল, মার্জ, সুরক্ষা); পাঁচ মিনিটের মধ্যে আবার চেষ্টা হবে।',
  google_unreachable:
    'Google-এ পৌঁছানো যায়নি{code}।\nএমন চললে নেটওয়ার্ক দেখুন, আর ফায়ারওয়াল sheets.googleapis.com ও oauth2.googleapis.com ছাড়ে কি না।',
  google_certificate:
    'Google-এর সঙ্গে নিরাপদ সংযোগ হয়নি{code}।\nপথে অন্য কিছু তার বদলে উত্তর দিচ্ছে: ফায়ারওয়াল বা প্রক্সিতে Google-কে পরীক্ষার বাইরে রাখুন, অথবা NODE_EXTRA_CA_CERTS-এ তাদের কর্তৃপক্ষের সার্টিফিকেট দিন।',
  google_redirect:
    'Google অন্য ঠিকানায় পাঠিয়েছে ({status}), সেখানে যাওয়া হয় না।\nএমন চললে হয়তো Google-এর বদলে কোনো প্রক্সি বা ফায়ারওয়াল উত্তর দিচ্ছে।',
  google_web_page:
    'Google-এর জায়গায় একটি ওয়েব পেজ ({status}) এসেছে।\nএমন চললে এই নেটওয়ার্কের প্রক্সি, ফায়ারওয়াল বা সাইন-ইন পোর্টালে sheets.googleapis.com ও oauth2.googleapis.com যেতে দিন।',
  google_odd_answer:
    'Google-এর জায়গায় যে উত্তর ({status}) এসেছে, তা চাওয়া জিনিস নয়; এর কিছুই ব্যবহার হয়নি।\nএমন চললে Google-এর জায়গায় উত্তর দেয় এমন প্রক্সি বা ফায়ারওয়াল খুঁজুন।',
  google_status: 'Google উত্তর দিয়েছে {status}।\nআবার চেষ্টা হবে।',
  sheet_of_another:
    'স্প্রেডশিটটি clinic-sync-এর অন্য একটি ইনস্টলেশন ({name}) রাখে; এতে কিছু লেখা হয় না, এখান থেকে বুকিংও নেওয়া হয় না।\nসেটি আর না চললে (বা তার ডেটাবেস হারালে) `adopt: {name}` দিন এবং আবার চালু করুন।',
  folder_denied:
    '{place}-এ লেখার অনুমতি নেই।\nব্যবহারকারী {user}-কে সেখানে পড়তে ও লিখতে দিন (মালিক বা ভলিউমের অপশন), বা অন্য ফোল্ডার বাছুন।',
  folder_read_only: '{place} কেবল পড়ার ফাইল সিস্টেমে আছে।\nভলিউমটি লেখার অনুমতিসহ মাউন্ট করুন, বা অন্য ফোল্ডার বাছুন।',
  folder_is_file: '{place} ফোল্ডার হতে পারে না: ওই জায়গায় একটি ফাইল আছে।\nফাইলটি সরান, বা অন্য ফোল্ডার বাছুন।',
  share_away:
    '{place}-এর নেটওয়ার্ক শেয়ার মাউন্ট করা নেই, তাই সেখানে কিছু লেখা হচ্ছে না।\nসেটি আবার মাউন্ট করুন। শেয়ার ছাড়াই ফাইল সেখানে রাখতে চাইলে clinic-sync connectors repair চালান।',
  inbox_away:
    '{place} খালি, অথচ এখান থেকে আগে ফাইল নেওয়া হয়েছে: নেটওয়ার্ক শেয়ারটি সম্ভবত মাউন্ট করা নেই।\nসেটি আবার মাউন্ট করুন। ফোল্ডারটি খালিই থাকার কথা হলে তাতে done ফোল্ডার তৈরি করুন।',
  disk_full: '{place}-এর জন্য আর জায়গা নেই।\nওই ডিস্কে জায়গা করুন; তারপর লেখা চলবে।',
  write_failed: '{place}-এ লেখা যায়নি{code}।\nডিস্ক বা নেটওয়ার্ক শেয়ার দেখুন।',
  file_in_use:
    '{place} প্রতিস্থাপন করা যায়নি{code}।\nযেখানে খোলা আছে সেখানে বন্ধ করুন, বা clinic-sync-কে বদলাতে দিন; বাকি ফাইলগুলো হালনাগাদ।',
  receiver_rejects: 'প্রাপক উত্তর দিয়েছে {status}।\nতার লগ দেখুন: সে এই ঘটনা নেয় না।',
  receiver_denies: 'প্রাপক উত্তর দিয়েছে {status}।\nদুই দিকের গোপন কোড ও হেডার মিলিয়ে দেখুন।',
  receiver_clock:
    'প্রাপক উত্তর দিয়েছে {status}, আর এই যন্ত্রের ঘড়ি তার ঘড়ি থেকে {minutes} মিনিট আলাদা।\nঘড়ি ঠিক করুন (NTP): স্বাক্ষর মাত্র কয়েক মিনিট বৈধ থাকে।',
  receiver_not_there: 'প্রাপক উত্তর দিয়েছে {status}।\nurl দেখুন: সেখানে তার কিছু নেই।',
  receiver_no_post: 'প্রাপক উত্তর দিয়েছে {status}।\nurl দেখুন: সেখানে সে POST নেয় না।',
  receiver_gone: 'প্রাপক উত্তর দিয়েছে {status}।\nসে আর ঘটনা চায় না। কানেক্টরটি সরান, বা ভুল হলে আবার চালু করুন।',
  receiver_too_large: 'প্রাপক উত্তর দিয়েছে {status}।\nতাকে বড় বার্তা নিতে দিন, বা thin: true দিন।',
  receiver_slow_down: 'প্রাপক উত্তর দিয়েছে {status}।\nসে যতটা দেয়, rate ততটা রাখুন।',
  receiver_redirect: 'প্রাপক উত্তর দিয়েছে {status}।\nঅন্য ঠিকানায় যাওয়া হয় না: নতুন ঠিকানা url-এ দিন।',
  receiver_broken: 'প্রাপক উত্তর দিয়েছে {status}।\nগোলমাল তার নিজের; তার লগ দেখুন।',
  receiver_web_page:
    'প্রাপক {status} সহ একটি ওয়েব পেজ পাঠিয়েছে; আগে কখনও এমন হয়নি।\nurl এখনও প্রাপকের কাছেই যায় কি না দেখুন: ডোমেইনটি হয়তো অন্যের হাতে গেছে, বা তার জায়গায় কোনো পোর্টাল উত্তর দেয়।',
  receiver_status: 'প্রাপক উত্তর দিয়েছে {status}।',
  paused_by: '{who} থামিয়ে রেখেছেন।',
  paused_by_person: 'কেউ থামিয়ে রেখেছেন।',
  paused_outage: 'এক দিন ধরে কিছুই পাঠানো যায়নি ({detail})। কিছু হারায়নি; প্রতি ঘণ্টায় চেষ্টা হয়।',
};
