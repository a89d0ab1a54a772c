import type { failureTexts as english } from '../../domain/failure-texts.ts';
import type { Translated } from '../catalogue.ts';

export const failures: Translated<typeof english> = {
  google_sign_in_ended:
    'لم تعد Google تقبل تسجيل الدخول: أُلغي أو انتهت صلاحيته.\nسجّل الدخول من جديد: clinic-sync connectors login. ما دام تطبيق OAuth في حالة “Testing” تنهي Google كل تسجيل دخول بعد سبعة أيام: انشره أو اجعله “Internal”.',
  google_client_unknown:
    'لا تعرف Google عميل OAuth الخاص بتسجيل الدخول.\nنزّل ملف JSON للعميل من جديد، ثم: clinic-sync connectors login.',
  google_key_refused:
    'لا تقبل Google مفتاح {address}: أُلغي أو حُذف، هو أو الحساب.\nأنشئ مفتاحًا جديدًا لحساب الخدمة (Keys, Add key, JSON) وضعه مكان القديم.',
  google_clock:
    'لا تقبل Google تسجيل دخولنا لأن ساعة هذا الجهاز غير صحيحة.\nاضبط الساعة (NTP) ثم أعد المحاولة.',
  google_account_disabled:
    'عطّلت Google ‏{address}.\nفعّل الحساب في Google Cloud Console ‏(IAM & Admin, Service accounts) أو أنشئ حسابًا جديدًا.',
  google_client_disabled:
    'عطّلت Google ‏{address}.\nراجع بيانات اعتماد المشروع في Google Cloud Console أو أنشئ غيرها.',
  google_slow_down: 'تطلب Google أن نبطئ ({status}).\nلا شيء عليك فعله: يستمر العمل بعد دقيقة.',
  google_token_refused: 'لم تقبل Google رمزنا.\nالمحاولة التالية تطلب رمزًا جديدًا.',
  google_reauth:
    '‏تطلب Google من ‏{address} تسجيل الدخول من جديد: تفرضه المؤسسة كل بضع ساعات.\nسجّل الدخول: clinic-sync connectors login. يُغني عنه حساب خدمة، أو استثناء للتطبيق من مسؤول Google.',
  google_client_unauthorized:
    '‏لا تسمح Google لهذا العميل بالدخول باسم ‏{address}: حُذف، أو أُنشئ لنوع آخر من الدخول.\nأنشئ عميل OAuth من نوع تطبيق سطح مكتب (أو مفتاحًا جديدًا)، ثم: clinic-sync connectors login.',
  google_project_suspended:
    '‏علّقت Google مشروع Cloud الخاص بـ ‏{address}.\nاقرأ رسالة Google إلى مالكه واعترض في وحدة تحكم Google Cloud، أو استخدم حسابًا من مشروع آخر.',
  google_project_gone:
    '‏مشروع Cloud الخاص بـ ‏{address} محذوف.\nاستعده خلال 30 يومًا في وحدة تحكم Google Cloud (إدارة الموارد)، أو أنشئ حسابًا في مشروع آخر.',
  google_billing:
    '‏الفوترة متوقفة في مشروع Cloud الخاص بـ ‏{address}، وGoogle تشترطها.\nشغّلها في وحدة تحكم Google Cloud، أو استخدم حسابًا من مشروع آخر.',
  google_address_blocked:
    '‏ترفض Google الطلبات من عنوان الشبكة لهذا الجهاز.\nابحث عن قيود العناوين عند العميل وفي مستويات وصول المؤسسة، واسمح بهذا العنوان هناك.',
  google_other_reason:
    '‏رفضت Google ذلك لـ ‏{address}: ‏{reason}.\nابحث عن هذا السبب في وثائق Google، أو اسأل مسؤول Google لديك.',
  google_no_project:
    'لا تعرف Google إلى أي مشاريعك تنتمي طلباتنا.\nشغّل: gcloud auth application-default set-quota-project PROJECT مع مشروع فُعّلت فيه Google Sheets API.',
  google_scope:
    'تسجيل دخول {address} لا يشمل جداول البيانات.\nسجّل الدخول لها: clinic-sync connectors login أو {login}. ويحتاج الجهاز الافتراضي من Google إلى النطاق {scope}.',
  google_api_off:
    'واجهة Google Sheets API مغلقة في مشروع حساب الخدمة.\nفي Google Cloud Console افتح APIs & Services وابحث عن Google Sheets API واضغط Enable.',
  google_drive_full:
    'مساحة Google Drive لمالك الجدول ممتلئة.\nأفسح مكانًا هناك (وفي Gmail والصور أيضًا) أو انقل الجدول إلى من لديه مساحة.',
  google_policy:
    'قواعد مؤسستك لدى Google تمنع {address} من ذلك.\nاطلب من مشرف Google السماح به، أو سجّل الدخول كشخص من المؤسسة: clinic-sync connectors login.',
  google_read_only: '‏{address} يستطيع رؤية الجدول لا تعديله.\nشارك الجدول مع هذا العنوان بصفة محرِّر.',
  google_not_shared: 'الجدول غير مشارَك مع {address}.\nشاركه مع هذا العنوان بصفة محرِّر.',
  google_no_spreadsheet:
    'لا يوجد جدول بهذا المعرّف: كُتب خطأً أو حُذف الجدول.\nانسخ عنوانه من المتصفح إلى `spreadsheet`، وابحث في مهملات Google Drive.',
  google_typed_columns:
    'لا تقبل Google منا قوائم الاختيار ومربعاته حيث أنشأ أحد جدولًا بأنواع أعمدة.\nلا يضيع شيء: يمكن كتابة الأسماء. لاستعادتها حوّل ذلك الجدول إلى بيانات بلا تنسيق.',
  google_protected:
    'جزء من الجدول محمي من {address}.\nمن «البيانات» ثم «حماية الأوراق والنطاقات» اسمح لهذا العنوان بالتعديل؛ ويبقى ما عدا ذلك محدَّثًا.',
  google_full:
    'الجدول ممتلئ: تسمح Google بعشرة ملايين خلية.\nاحذف صفوفًا فارغة أو أعمدة أو أوراقًا قديمة، أو أعط clinic-sync جدولًا خاصًا به.',
  google_tab_gone: 'حُذفت ورقة.\nتُنشأ من جديد.',
  google_excel:
    'الملف مصنف Excel في Google Drive وليس جدول Google.\nافتحه واختر «ملف» ثم «حفظ كجداول بيانات Google»، واستعمل عنوان الملف الجديد.',
  google_changed: 'عُدّل الجدول في اللحظة نفسها.\nيُقرأ من جديد.',
  google_refused: 'رفضت Google ما طلبناه ({words}).\nهذا خطأ في الموصل؛ أبلغ عنه مع وقت حدوثه.',
  google_cell_refused:
    'ترفض Google ما يكتبه clinic-sync هناك{cell}: {words}.\nتراجع عن آخر تغيير يدوي هناك (قاعدة أو جدول أو دمج أو حماية)؛ تُعاد المحاولة خلال خمس دقائق.',
  google_unreachable:
    'تعذّر الوصول إلى Google{code}.\nإن استمر ذلك فتحقق من الشبكة ومن أن جدار الحماية يسمح بـ sheets.googleapis.com و oauth2.googleapis.com.',
  google_certificate:
    'لا اتصال آمن بـ Google{code}.\nشيء ما في الطريق يجيب بدلًا منها: استثنِ Google من الفحص في جدار الحماية أو الوكيل، أو ضع في NODE_EXTRA_CA_CERTS شهادة الجهة المصدِرة لهما.',
  google_redirect:
    'أجابت Google بإعادة توجيه ({status}) ولا نتبعها.\nإن استمر ذلك فربما يجيب وسيط أو جدار حماية بدلًا من Google.',
  google_web_page:
    'وصلت صفحة ويب ({status}) بدل جواب Google.\nإن استمر ذلك فاسمح بمرور sheets.googleapis.com و oauth2.googleapis.com عبر الوسيط أو جدار الحماية أو بوابة الدخول في هذه الشبكة.',
  google_odd_answer:
    'ما وصل بدل جواب Google ‏({status}) ليس ما طُلب؛ ولم يُستعمل منه شيء.\nإن استمر ذلك فابحث عن وسيط أو جدار حماية يجيب مكان Google.',
  google_status: 'أجابت Google بـ {status}.\nتُعاد المحاولة.',
  sheet_of_another:
    'الجدول يديره تثبيت آخر من clinic-sync ‏({name})؛ لا يُكتب فيه شيء ولا يُؤخذ منه حجز.\nإذا لم يعد ذلك التثبيت يعمل (أو ضاعت قاعدة بياناته) فاكتب `adopt: {name}` وأعد التشغيل.',
  folder_denied:
    'لا إذن بالكتابة في {place}.\nاسمح للمستخدم رقم {user} بالقراءة والكتابة هناك (المالك أو خيارات وحدة التخزين) أو اختر مجلدًا آخر.',
  folder_read_only: '‏{place} على نظام ملفات للقراءة فقط.\nصِل وحدة التخزين قابلة للكتابة أو اختر مجلدًا آخر.',
  folder_is_file: '‏{place} لا يصلح مجلدًا: في مكانه ملف.\nانقل ذلك الملف أو اختر مجلدًا آخر.',
  share_away:
    '‏المجلد المشترك {place} غير موصول، لذلك لا يُكتب فيه شيء.\nأعد وصله. وإن كان يجب أن تبقى الملفات هناك بدونه فشغّل clinic-sync connectors repair.',
  inbox_away:
    '‏{place} فارغ مع أن ملفات أُخذت منه من قبل: يبدو أن المجلد المشترك غير موصول.\nأعد وصله. وإن كان يجب أن يكون فارغًا فأنشئ فيه المجلد done.',
  disk_full: 'لم يبق مكان لـ {place}.\nأفسح مكانًا على ذلك القرص؛ ثم تستمر الكتابة.',
  write_failed: 'فشلت الكتابة في {place}{code}.\nتحقق من القرص أو المجلد المشترك.',
  file_in_use:
    'تعذّر استبدال {place}{code}.\nأغلقه حيث هو مفتوح، أو اسمح لـ clinic-sync باستبداله؛ الملفات الأخرى محدَّثة.',
  receiver_rejects: 'أجاب المستقبِل بـ {status}.\nانظر في سجله: لا يقبل هذا الحدث.',
  receiver_denies: 'أجاب المستقبِل بـ {status}.\nتحقق من السر والترويسات في الجانبين.',
  receiver_clock:
    'أجاب المستقبِل بـ {status}، وساعة هذا الجهاز تختلف عن ساعته بمقدار {minutes} د.\nاضبط الساعة (NTP): التوقيع صالح لدقائق قليلة فقط.',
  receiver_not_there: 'أجاب المستقبِل بـ {status}.\nتحقق من url: لا شيء لديه هناك.',
  receiver_no_post: 'أجاب المستقبِل بـ {status}.\nتحقق من url: لا يقبل POST هناك.',
  receiver_gone:
    'أجاب المستقبِل بـ {status}.\nلا يريد أحداثًا بعد الآن. أزل الموصل، أو استأنفه إن كان ذلك خطأً.',
  receiver_too_large: 'أجاب المستقبِل بـ {status}.\nاجعله يقبل محتوى أكبر، أو اكتب thin: true.',
  receiver_slow_down: 'أجاب المستقبِل بـ {status}.\nاضبط rate على ما يسمح به.',
  receiver_redirect: 'أجاب المستقبِل بـ {status}.\nلا نتبع إعادة التوجيه: ضع العنوان الجديد في url.',
  receiver_broken: 'أجاب المستقبِل بـ {status}.\nالعطل لديه؛ انظر في سجله.',
  receiver_web_page:
    'أجاب المستقبِل بـ {status} مع صفحة ويب، ولم يفعل ذلك من قبل.\nتحقق من أن url ما زال يقود إلى المستقبِل: ربما انتقل نطاقه إلى غيره، أو تجيب بوابة مكانه.',
  receiver_status: 'أجاب المستقبِل بـ {status}.',
  paused_by: 'أوقفه مؤقتًا: {who}.',
  paused_by_person: 'أوقفه أحدهم مؤقتًا.',
  paused_outage: 'لم يمكن تسليم شيء طوال يوم ({detail}). لم يضع شيء؛ وتُعاد المحاولة كل ساعة.',
};
