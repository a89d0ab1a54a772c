import type { Translated } from '../catalogue.ts';
import type { messages as english } from '../english/messages.ts';

export const messages: Translated<typeof english> = {
  told_opened: { one: 'আপনাকে দরকার', other: '{count}টি বিষয়ে আপনাকে দরকার' },
  told_reminder: { one: 'এখনও আপনাকে দরকার', other: '{count}টি বিষয়ে এখনও আপনাকে দরকার' },
  told_settled: { one: 'মিটে গেছে', other: '{count}টি বিষয় মিটে গেছে' },
  told_trouble: { one: 'সমস্যা', other: '{count}টি জায়গায় সমস্যা' },
  told_recovered: { one: 'আবার ঠিক হয়েছে', other: '{count}টি জিনিস আবার চলছে' },
  told_silence: { one: 'কোনো অনুরোধ নেই', other: '{count}টি উৎস থেকে কোনো অনুরোধ নেই' },
  told_test: 'পরীক্ষা',
  told_since: '{time} থেকে।',
  told_over: 'এটি শেষ হয়েছে; সময়: {time}।',
  told_unreached: '{name}-এর সঙ্গে যোগাযোগ করা যাচ্ছে না।',
  told_perhaps: 'সম্ভবত এটি আপনাকে আগেই জানানো হয়েছে।',
  open: 'খুলুন',
  kind_probe: 'পরীক্ষামূলক অনুরোধ',
  kind_database: 'ডেটাবেস',
  kind_reading: 'পড়া',
  kind_schedule: 'সময়সূচি',
  kind_silence: 'নীরবতা',
  need_silence_day: '{name} থেকে {what} ধরে কোনো অনুরোধ আসেনি; সাধারণত দিনে {count}টি আসে।',
  need_silence_week: '{name} থেকে {what} ধরে কোনো অনুরোধ আসেনি; সাধারণত সপ্তাহে {count}টি আসে।',
  need_test: 'এটি clinic-sync-এর একটি পরীক্ষা: বার্তা এখানে পৌঁছায়।',
  need_database_works: 'ডেটাবেস আবার চলছে।',
  todo_silence:
    'নিজে একটি পাঠিয়ে দেখুন পৌঁছায় কি না: ফর্ম বা ওয়েবসাইট নষ্ট হয়ে থাকতে পারে। বন্ধ থাকলে ক্লিনিকের পাতায় জানান কতদিন।',
  todo_test: 'কিছু করতে হবে না।',
  todo_booking: '“clinic-sync bookings show {name}” চালালে এটি দেখা যাবে।',
};
