import type { checkTexts as english } from '../../domain/check-texts.ts';
import type { Translated } from '../catalogue.ts';

export const checks: Translated<typeof english> = {
  check_files: 'الملفات: يمكن الكتابة في {place}',
  check_files_later: 'الملفات: {place} غير موجود بعد وسيُنشأ',
  check_inbox: 'الوارد: يمكن الكتابة في {place}',
  check_inbox_later: 'الوارد: {place} غير موجود بعد وسيُنشأ',
  check_free: 'مساحة حرة لـ {place}: {size}',
  check_free_little: 'مساحة حرة لـ {place}: {size}\nأفسح مكانًا على ذلك القرص.',
  check_xlsx: '‏XLSX: تصل الأرقام والتواريخ والأصفار البادئة كما هي',
  check_data: 'الملف التعريفي data: قيم دقيقة للبرامج',
  check_excel:
    'الملف التعريفي excel: آمن عند الفتح، لكن برنامج الجداول يحذف الأصفار البادئة (017…)؛ ويحفظها `format: xlsx`',
  check_inbox_clinic:
    'الوارد: هناك عدة عيادات ولم يُضبط inbox_clinic\nاضبط inbox_clinic أو أضف إلى كل ملف عمود clinic.',
  check_key: 'المفتاح: لـ {address} (العنوان الذي يُشارَك معه الجدول)',
  check_key_open: 'المفتاح: يستطيع مستخدمون آخرون لهذا الجهاز قراءة {file}\nشغّل: chmod 600 {file}',
  check_token: 'الرمز: تقبل Google المفتاح',
  check_read: 'القراءة: يمكن قراءة «{title}»',
  check_write: 'الكتابة: يحق لـ {address} تعديله',
  check_bin:
    'المهملات: تعذّرت معرفة ما إذا كان الجدول في مهملات Google Drive\nفي Google Cloud Console افتح APIs & Services وابحث عن Google Drive API واضغط Enable.',
  check_keeper: 'يديره: هذا التثبيت',
  check_keeper_none: 'يديره: لا أحد بعد؛ يسجَّل ذلك في أول تشغيل',
  check_columns:
    'الأعمدة: ينقص {place} ما يلي: {columns}\nيبقى كذلك. لاستعادتها: clinic-sync connectors repair.',
  check_looks:
    'التنسيقات: ينقص {columns} في {place} تنسيق الورقة الجديدة أو تحذيرها، فقد تضيع أصفار أو تُستبدل إجابات\nلضبطها: clinic-sync connectors repair.',
  check_protection:
    'الحماية: نطاق في {place} مغلق أمامنا\nمن «البيانات» ثم «حماية الأوراق والنطاقات» اسمح للعنوان أعلاه بالتعديل.',
  check_copies: 'الأوراق: {tabs} نسخة من ورقة يحدّثها clinic-sync وهي لا تُحدَّث\nاحتفظ بها سجلًا أو احذفها.',
  check_tabs: 'الأوراق: {tabs}',
  check_tabs_later: 'الأوراق: {tabs}؛ وتُنشأ في أول تشغيل: {missing}',
  check_month_first:
    '‏يقرأ الجدول (‏{locale}) التاريخ 05/01/2027 على أنه 1 مايو، بينما يعني في ‏{zone} يوم 5 يناير.\nغيّره تحت ملف، الإعدادات، اللغة، أو اختر الأيام من التقويم؛ يذكر Message كل يوم بالكلمات.',
  check_locale: 'الإعداد المحلي {locale}، المنطقة الزمنية {zone}',
  check_reachable: 'يمكن الوصول إلى {host}',
  check_certificate: 'يمكن الوصول إلى {host} وله شهادة صالحة',
  check_unencrypted: 'تخرج بيانات المرضى بلا تشفير\nاستعمل https أو أزل patient من include.',
  check_short_secret: 'السر أقصر من 24 بايت\nأنشئ غيره بالأمر `openssl rand -base64 24` وضع whsec_ قبله.',
  check_form: 'نموذج الحجز في {path} ويمكن إرساله من هناك',
  check_form_sites: 'نموذج الحجز في {path} ويمكن إرساله من هناك ومن نماذج {sites}',
  check_no_submission: 'لم يصل أي طلب بعد',
};
