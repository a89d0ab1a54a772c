import type { Translated } from '../catalogue.ts';
import type { messages as english } from '../english/messages.ts';

export const messages: Translated<typeof english> = {
  told_opened: { one: 'بحاجة إليك', two: 'أمران بحاجة إليك', other: '{count} من الأمور بحاجة إليك' },
  told_reminder: {
    one: 'ما زال بحاجة إليك',
    two: 'أمران ما زالا بحاجة إليك',
    other: '{count} من الأمور ما زالت بحاجة إليك',
  },
  told_settled: { one: 'تمت التسوية', two: 'تمت تسوية أمرين', other: 'تمت تسوية {count} من الأمور' },
  told_trouble: { one: 'عطل', two: 'عطل في موضعين', other: 'عطل في {count} من المواضع' },
  told_recovered: {
    one: 'عاد إلى العمل',
    two: 'عاد أمران إلى العمل',
    other: 'عاد {count} من الأمور إلى العمل',
  },
  told_silence: { one: 'لا طلبات', two: 'لا طلبات من مصدرين', other: 'لا طلبات من {count} من المصادر' },
  told_test: 'تجربة',
  told_since: 'منذ {time}.',
  told_over: 'انتهى ذلك؛ المدة: {time}',
  told_unreached: 'تعذّر الوصول إلى {name}.',
  told_perhaps: 'ربما وصلك هذا التنبيه من قبل.',
  open: 'فتح',
  kind_probe: 'طلب تجريبي',
  kind_database: 'قاعدة البيانات',
  kind_reading: 'القراءة',
  kind_schedule: 'الجدول الزمني',
  kind_silence: 'صمت',
  need_silence_day: 'لم يصل أي طلب من {name} منذ {what}، والمعتاد يوميًا: {count}.',
  need_silence_week: 'لم يصل أي طلب من {name} منذ {what}، والمعتاد أسبوعيًا: {count}.',
  need_test: 'هذه تجربة من clinic-sync: الرسائل تصل إلى هنا.',
  need_database_works: 'عادت قاعدة البيانات إلى العمل.',
  todo_silence:
    'أرسل طلبًا بنفسك وانظر هل يصل: قد يكون النموذج أو الموقع معطلًا. إن كنتم في إغلاق فبيّنوا حتى متى في صفحة العيادة.',
  todo_test: 'لا يلزم فعل شيء.',
  todo_booking: 'الأمر «clinic-sync bookings show {name}» يعرضه.',
};
