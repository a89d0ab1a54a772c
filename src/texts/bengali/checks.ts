import type { checkTexts as english } from '../../domain/check-texts.ts';
import type { Translated } from '../catalogue.ts';

export const checks: Translated<typeof english> = {
  check_files: 'ফাইল: {place}-এ লেখা যায়',
  check_files_later: 'ফাইল: {place} এখনও নেই, বানানো হবে',
  check_inbox: 'ইনবক্স: {place}-এ লেখা যায়',
  check_inbox_later: 'ইনবক্স: {place} এখনও নেই, বানানো হবে',
  check_free: '{place}-এর জন্য {size} ফাঁকা',
  check_free_little: '{place}-এর জন্য {size} ফাঁকা\nওই ডিস্কে জায়গা করুন।',
  check_xlsx: 'XLSX: সংখ্যা, তারিখ ও শুরুর শূন্য যেমন আছে তেমনই আসে',
  check_data: 'data প্রোফাইল: হুবহু মান, প্রোগ্রামের জন্য',
  check_excel: 'excel প্রোফাইল: খোলা নিরাপদ, তবে স্প্রেডশিট প্রোগ্রাম শুরুর শূন্য ফেলে দেয় (017…); `format: xlsx` রাখে',
  check_inbox_clinic:
    'ইনবক্স: একাধিক ক্লিনিক, অথচ inbox_clinic দেওয়া নেই\ninbox_clinic দিন, বা প্রতিটি ফাইলে clinic কলাম রাখুন।',
  check_key: 'চাবি: {address}-এর (এই ঠিকানার সঙ্গে স্প্রেডশিট শেয়ার করুন)',
  check_key_open: 'চাবি: এই মেশিনের অন্য ব্যবহারকারীরা {file} পড়তে পারেন\nচালান: chmod 600 {file}',
  check_token: 'টোকেন: Google চাবিটি মানে',
  check_read: 'পড়া: “{title}” পড়া যায়',
  check_write: 'লেখা: {address} এটি বদলাতে পারে',
  check_bin:
    'বিন: স্প্রেডশিটটি Google Drive-এর বিনে আছে কি না দেখা যায়নি\nGoogle Cloud Console-এ APIs & Services খুলুন, Google Drive API খুঁজে Enable চাপুন।',
  check_keeper: 'রাখে: এই ইনস্টলেশন',
  check_keeper_none: 'রাখে: এখনও কেউ নয়; প্রথম বারে লেখা হবে',
  check_columns: 'কলাম: {place}-এ {columns} নেই\nতেমনই থাকে। ফিরিয়ে আনতে: “clinic-sync connectors repair”।',
  check_looks:
    'ফরম্যাট: {place}-এর {columns}-এ নতুন ট্যাবের ফরম্যাট বা সতর্কতা নেই; শূন্য হারাতে বা উত্তর মুছে যেতে পারে\nবসাতে: “clinic-sync connectors repair”।',
  check_protection:
    'সুরক্ষা: {place}-এর একটি অংশ আমাদের জন্য বন্ধ\n“ডেটা”, “শিট ও রেঞ্জ সুরক্ষিত করুন”-এ উপরের ঠিকানাকে সম্পাদনার অনুমতি দিন।',
  check_copies: 'ট্যাব: {tabs} clinic-sync-এর একটি ট্যাবের কপি, হালনাগাদ হয় না\nনথি হিসেবে রাখুন, বা মুছুন।',
  check_tabs: 'ট্যাব: {tabs}',
  check_tabs_later: 'ট্যাব: {tabs}; প্রথম বারে তৈরি হবে: {missing}',
  check_month_first:
    'স্প্রেডশিটটি ({locale}) লেখা 05/01/2027-কে ১ মে পড়ে, অথচ {zone}-এ এর মানে ৫ জানুয়ারি।\nFile, Settings, Locale-এ বদলান, বা ক্যালেন্ডার থেকে দিন বাছুন; Message প্রতিটি দিন কথায় বলে।',
  check_locale: 'লোকেল {locale}, সময় অঞ্চল {zone}',
  check_reachable: '{host}-এ পৌঁছানো যায়',
  check_certificate: '{host}-এ পৌঁছানো যায়, সার্টিফিকেটও বৈধ',
  check_unencrypted: 'রোগীর তথ্য এনক্রিপশন ছাড়া যাচ্ছে\nhttps ব্যবহার করুন, বা include থেকে patient সরান।',
  check_short_secret: 'গোপন কোডটি ২৪ বাইটের ছোট\n`openssl rand -base64 24` দিয়ে নতুন বানান, শুরুতে whsec_ দিন।',
  check_form: 'বুকিং ফর্ম {path}-এ; সেখান থেকে পাঠানো যায়',
  check_form_sites: 'বুকিং ফর্ম {path}-এ; সেখান থেকে এবং {sites}-এর ফর্ম থেকে পাঠানো যায়',
  check_no_submission: 'এখনও কোনো অনুরোধ আসেনি',
};
