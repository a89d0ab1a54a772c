import type { problemTexts as english } from '../../domain/problem-texts.ts';
import type { Translated } from '../catalogue.ts';

export const problems: Translated<typeof english> = {
  texts_cut: {
    one: '{place}: ১টি লেখা ঘরে আঁটে না, তাই ছেঁটে দেওয়া হয়েছে।',
    other: '{place}: {count}টি লেখা ঘরে আঁটে না, তাই ছেঁটে দেওয়া হয়েছে।',
  },
  file_unread: '{place}-এর একটি ফাইল পড়া যাচ্ছে না (EIO): ডিস্ক দেখুন।',
  files_failed: {
    one: '{place}-এ ১টি ফাইল: এটি বুক হয়নি, বা পুরোটা হয়নি। পাশের .error.txt-এ কারণ লেখা আছে; ঠিক করে আবার দিন, তারপর ওখান থেকে মুছুন।',
    other:
      '{place}-এ {count}টি ফাইল: এগুলো বুক হয়নি, বা পুরোটা হয়নি। প্রতিটির পাশের .error.txt-এ কারণ লেখা আছে; ঠিক করে আবার দিন, তারপর ওখান থেকে মুছুন।',
  },
  files_other:
    '{place}-এ {names}: এটি .csv ফাইল নয়, .xlsx ওয়ার্কবুকও নয়, তাই বুক হয় না। সেখানে CSV হিসেবে সংরক্ষণ করুন বা অন্য কোথাও সরান।',
  files_unnameable: {
    one: '{place}-এর ১টি ফাইল খোলা যাচ্ছে না, কারণ নামটি UTF-8 নয়: সাধারণ অক্ষরে নাম দিন।',
    other: '{place}-এর {count}টি ফাইল খোলা যাচ্ছে না, কারণ নামগুলো UTF-8 নয়: সাধারণ অক্ষরে নাম দিন।',
  },
  files_in_folders:
    '{names}: {place}-এর ভেতরের একটি ফোল্ডারে আছে, যেখানে কিছুই পড়া হয় না। এটি সরাসরি {place}-এ সরান।',
  files_online_only:
    '{place}-এ {names}: এটি ক্লাউড ড্রাইভের শুধু একটি প্লেসহোল্ডার, ভেতরে কিছু নেই। সেখানে এটি অফলাইনে ব্যবহারযোগ্য করুন।',
  files_unsettled: '{place}-এ {names}: {since} থেকে অসম্পূর্ণ, তাই পড়া হয়নি। আবার কপি করুন, বা সেখান থেকে মুছুন।',
  files_of_others:
    '{place}-এ {names}: ব্যবহারকারী আইডি {user} এটি সরাতে পারে না, কারণ এটি {owner}-এর। এটি ব্যবহারকারী আইডি {user}-কে দিন, বা ফোল্ডারের sticky bit সরান; বাকি সব চলছে।',
  files_not_ours:
    '{place}-এ {names}: এটি clinic-sync-এর লেখা নয়, বা পরে বদলানো হয়েছে, তাই যেমন আছে তেমনই থাকে। এর নাম বদলান বা অন্য কোথাও সরান, কারণ নামটি clinic-sync-এর দরকার।',
  files_stuck: '{place}-এ {names}: নেওয়া যাচ্ছে না{code}। যেখানে খোলা আছে সেখানে বন্ধ করুন, বা নাম বদলান; বাকি সব চলছে।',
  sheet_in_bin:
    'স্প্রেডশিটটি Google Drive-এর বিনে আছে: টিক দেওয়া সারি বুক হয়, বাকি সব থেমে আছে। মালিক সেখান থেকে ফিরিয়ে আনেন বা clinic-sync-কে অন্যটি দেন; ৩০ দিন পর Google মুছে ফেলে।',
  sheet_full: 'স্প্রেডশিটটি ভর্তি (Google এক কোটি ঘর দেয়): নতুন কিছু যোগ হচ্ছে না। ফাঁকা সারি, কলাম বা পুরোনো ট্যাব মুছুন।',
  tab_unmarked: '{place}: এতে আর clinic-sync-এর চিহ্ন নেই; এটি হালনাগাদ হয় না।',
  bookings_unmarked: '{place}: এতে আর clinic-sync-এর চিহ্ন নেই; টিক দেওয়া সারি বুক হয় না। সেগুলো বর্তমান ট্যাবে সরান।',
  tab_gone:
    '{place}: ট্যাবটি ছিল না, তাই clinic-sync এক মিনিট পর নতুন একটি বানায়। লোকেরা যা যোগ করেছিলেন তা স্প্রেডশিটের সংস্করণ ইতিহাসে আছে; ট্যাবটি না চাইলে `tabs` থেকে বাদ দিন।',
  writes_undone:
    '{place}: clinic-sync যা লেখে তা থাকে না, প্রতিবার পড়লে আগের ঘরই দেখা যায়। স্প্রেডশিটে এমন স্ক্রিপ্ট, বা Google-এর সামনে এমন প্রক্সি খুঁজুন যা তা ফিরিয়ে দেয়।',
  tab_copied: '{place}: clinic-sync-এর একটি ট্যাবের কপি; এটি হালনাগাদ হয় না।',
  bookings_copied: '{place}: clinic-sync-এর একটি ট্যাবের কপি; টিক দেওয়া সারি বুক হয় না।',
  copy_ticked: {
    one: 'Bookings-এর কপিতে টিক দেওয়া ১টি সারি বুক হয়নি। এটি বর্তমান ট্যাবে সরান।',
    other: 'Bookings-এর কপিতে টিক দেওয়া {count}টি সারি বুক হয়নি। সেগুলো বর্তমান ট্যাবে সরান।',
  },
  part_drop_downs: 'Bookings-এর ড্রপ-ডাউন তালিকা',
  part_stale_colour: 'Sync-এ STALE-এর রং',
  part_age: '{tab} কত পুরোনো, সেই ঘর',
  part_ages: 'ট্যাবগুলো কত পুরোনো, সেই ঘর',
  part_charts: 'Overview-এর চার্ট',
  part_refused: '{place}: হালনাগাদ নয়। {detail}',
  id_column_gone:
    '{place}: ID (বা Clinic) কলাম মুছে ফেলা হয়েছে, তাই সারি আলাদা করা যায় না এবং ট্যাবটি যেমন আছে তেমনই থাকছে। মোছা বাতিল করুন বা চালান: “clinic-sync connectors repair”।',
  cells_drifted: {
    one: '{place}: ১টি ঘর হাতে বদলানো হয়েছে এবং তেমনই রাখা হয়েছে (on_drift: report)।',
    other: '{place}: {count}টি ঘর হাতে বদলানো হয়েছে এবং তেমনই রাখা হয়েছে (on_drift: report)।',
  },
  rows_doubled: {
    one: '{place}: {ids} একাধিক সারিতে আছে; যোগফলে দুবার গোনা হয়। কপিটি মুছুন।',
    other: '{place}: {ids} একাধিক সারিতে আছে; যোগফলে দুবার গোনা হয়। কপিগুলো মুছুন।',
  },
  rows_unknown: {
    one: '{place}: {rows} নম্বর সারির ID বা Clinic অচেনা; সারিটি হালনাগাদ হয় না, যোগফলে দুবার গোনা হতে পারে। সারিটি মুছুন।',
    other:
      '{place}: {rows} নম্বর সারিগুলোর ID বা Clinic অচেনা; সেগুলো হালনাগাদ হয় না, যোগফলে দুবার গোনা হতে পারে। সারিগুলো মুছুন।',
  },
  cells_hidden: {
    one: '{place}: আমাদের ১টি ঘর জোড়া দেওয়া ঘরের নিচে ঢাকা; পড়াও হয় না, লেখাও হয় না। জোড়া খুলুন।',
    other: '{place}: আমাদের {count}টি ঘর জোড়া দেওয়া ঘরের নিচে ঢাকা; পড়াও হয় না, লেখাও হয় না। জোড়া খুলুন।',
  },
  cells_merged: {
    one: '{place}: ১টি ঘর বা সারি হালনাগাদ নয়, কারণ সেখানে ঘর জোড়া দেওয়া হয়েছে। জোড়া খুলুন।',
    other: '{place}: {count}টি ঘর বা সারি হালনাগাদ নয়, কারণ সেখানে ঘর জোড়া দেওয়া হয়েছে। জোড়া খুলুন।',
  },
  tab_protected: {
    one: '{place}: ১টি ঘর বা সারি হালনাগাদ নয়, কারণ ট্যাবটি সুরক্ষিত। clinic-sync-এর ঠিকানাকে সম্পাদনার অনুমতি দিন।',
    other: '{place}: {count}টি ঘর বা সারি হালনাগাদ নয়, কারণ ট্যাবটি সুরক্ষিত। clinic-sync-এর ঠিকানাকে সম্পাদনার অনুমতি দিন।',
  },
  range_protected: {
    one: '{place}: ১টি ঘর বা সারি হালনাগাদ নয়, কারণ {range} অংশটি সুরক্ষিত। clinic-sync-এর ঠিকানাকে সম্পাদনার অনুমতি দিন।',
    other:
      '{place}: {count}টি ঘর বা সারি হালনাগাদ নয়, কারণ {range} অংশটি সুরক্ষিত। clinic-sync-এর ঠিকানাকে সম্পাদনার অনুমতি দিন।',
  },
  columns_gone: {
    one: '{place}: {columns} কলামটি হালনাগাদ হয় না: মুছে ফেলা হয়েছে, বা আমাদের চিহ্ন নেই। ফিরিয়ে আনতে: “clinic-sync connectors repair”।',
    other:
      '{place}: {columns} কলামগুলো হালনাগাদ হয় না: মুছে ফেলা হয়েছে, বা আমাদের চিহ্ন নেই। ফিরিয়ে আনতে: “clinic-sync connectors repair”।',
  },
  fees_as_text: {
    one: '{place}: ১টি ফি লেখা হিসেবে আছে: স্প্রেডশিট সংখ্যাটি হুবহু রাখতে পারে না।',
    other: '{place}: {count}টি ফি লেখা হিসেবে আছে: স্প্রেডশিট সংখ্যাগুলো হুবহু রাখতে পারে না।',
  },
  booking_columns_gone: {
    one: '{place}: {columns} কলাম মুছে ফেলা হয়েছে, তাই এই ট্যাব থেকে বুকিং নেওয়া হয় না। মোছা বাতিল করুন বা চালান: “clinic-sync connectors repair”।',
    other:
      '{place}: {columns} কলামগুলো মুছে ফেলা হয়েছে, তাই এই ট্যাব থেকে বুকিং নেওয়া হয় না। মোছা বাতিল করুন বা চালান: “clinic-sync connectors repair”।',
  },
  row_refused: '{place}: {ref} নেওয়া হয়নি। {detail}',
  answers_closed: {
    one: '{place}: ১টি ঘরে লেখা যাচ্ছে না, কারণ সেটি সুরক্ষিত বা জোড়া দেওয়া। clinic-sync-এর ঠিকানাকে Ref, State, Appointment, Message, Updated ও Send সম্পাদনার অনুমতি দিন।',
    other:
      '{place}: {count}টি ঘরে লেখা যাচ্ছে না, কারণ সেগুলো সুরক্ষিত বা জোড়া দেওয়া। clinic-sync-এর ঠিকানাকে Ref, State, Appointment, Message, Updated ও Send সম্পাদনার অনুমতি দিন।',
  },
  rows_changed:
    '{place}: পাঠানোর পর বদলানো হয়েছে, ক্লিনিক তা জানে না: {rows}।\nক্লিনিকে ফোন করুন। অ্যাপয়েন্টমেন্ট শেষ না হওয়া পর্যন্ত, বা সারিতে আবার যা পাঠানো হয়েছিল তা না আসা পর্যন্ত এটি দেখানো হবে।',
  rows_overtyped: '{place}: {rows}-এর ওপর অন্য রোগীর তথ্য লেখা হয়েছে, তাঁর বুকিং হয়নি।\nতাঁকে আলাদা সারিতে লিখুন।',
  columns_unmarked:
    '{place}: {columns} কলামটি আমাদের চিহ্ন হারিয়েছে, তাই হালনাগাদ হয় না।\nচালান: “clinic-sync connectors repair”।',
  booking_columns_unmarked:
    '{place}: {columns} কলামটি আমাদের চিহ্ন হারিয়েছে, তাই এই ট্যাব থেকে বুকিং নেওয়া হয় না।\nচালান: “clinic-sync connectors repair”।',
  columns_moved:
    '{place}: {columns} কেটে অন্য জায়গায় বসানো হয়েছে, আমাদের চিহ্ন আগের জায়গায় রয়ে গেছে; সেখানে কিছু লেখা বা পড়া হয় না।\nচালান: “clinic-sync connectors repair”। এটি চিহ্নটি সরায়।',
  header_gone: '{place}: শিরোনামের সারিটি মুছে ফেলা হয়েছে।\nফিরিয়ে আনতে: “clinic-sync connectors repair”।',
  cells_written_back:
    '{place}: কোনো স্ক্রিপ্ট, অ্যাড-অন বা কেউ clinic-sync যা লেখে তা বারবার পাল্টে দিচ্ছে: {cells}।\nExtensions-এ খুঁজে বন্ধ করুন।',
  ref_closed:
    '{place}: Ref সুরক্ষিত বা জোড়া দেওয়া থাকলে এই ট্যাব থেকে কিছুই বুক হয় না।\nclinic-sync-এর ঠিকানাকে Ref, State, Appointment, Message, Updated ও Send সম্পাদনার অনুমতি দিন।',
  erased_shown:
    '{place}: {refs}: পাঠানোর পর সারিটি বদলানো হয়েছে, আর ব্যক্তিটিকে এর মধ্যে মুছে ফেলা হয়েছে। তাঁর যা এখনও দেখা যায় মুছুন, বা অন্য কারও সারি হলে Ref খালি করুন।',
  deliveries_held_up: {
    one: '১টি ঘটনা {since} থেকে অপেক্ষায় আছে, {until}-এ আবার পাঠানো হবে। {detail}',
    other: '{count}টি ঘটনা {since} থেকে অপেক্ষায় আছে; পরের চেষ্টা {until}-এ। {detail}',
  },
};
