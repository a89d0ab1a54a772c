import type { problemTexts as english } from '../../domain/problem-texts.ts';
import type { Translated } from '../catalogue.ts';

export const problems: Translated<typeof english> = {
  texts_cut: {
    one: '‏{place}: نص واحد أطول مما تتسع له الخلية وقد قُص.',
    other: '‏{place}: نصوص أطول مما تتسع له الخلية وقد قُصت، عددها {count}.',
  },
  file_unread: 'ملف في {place} لا يمكن قراءته (EIO): افحص القرص.',
  files_failed: {
    one: 'ملف واحد في {place}: لم يُحجز أو لم يُحجز كاملًا. بجانبه ملف ‎.error.txt يبيّن السبب؛ صحّحه وضعه من جديد ثم احذفه من هناك.',
    other:
      'ملفات في {place} لم تُحجز أو لم تُحجز كاملة، عددها {count}. بجانب كل منها ملف ‎.error.txt يبيّن السبب؛ صحّحه وضعه من جديد ثم احذفه من هناك.',
  },
  files_other:
    '{names} في {place}: ليس ملف ‎.csv ولا مصنّف ‎.xlsx، لذلك لا يُحجز. احفظه هناك بصيغة CSV أو انقله إلى مكان آخر.',
  files_unnameable: {
    one: 'ملف واحد في {place} لا يمكن فتحه لأن اسمه ليس UTF-8: أعد تسميته بحروف بسيطة.',
    other: 'ملفات في {place} لا يمكن فتحها لأن أسماءها ليست UTF-8، عددها {count}: أعد تسميتها بحروف بسيطة.',
  },
  files_in_folders: '{names}: في مجلد داخل {place} لا يُقرأ منه شيء. انقله إلى {place} نفسه.',
  files_online_only:
    '{names} في {place}: مجرد عنصر نائب من محرّك سحابي بلا محتوى. اجعله متاحًا هناك دون اتصال.',
  files_unsettled: '{names} في {place}: غير مكتمل منذ {since}، لذلك لا يُقرأ. انسخه من جديد أو احذفه من هناك.',
  files_of_others:
    '{names} في {place}: لا يستطيع المستخدم {user} نقله لأنه ملك {owner}. امنحه للمستخدم {user} أو أزل ‎sticky bit‎ عن المجلد؛ وكل ما عداه مستمر.',
  files_not_ours:
    '{names} في {place}: لم يكتبه clinic-sync أو تغيّر منذ ذلك الحين، لذا يبقى كما هو. غيّر اسمه أو انقله، لأن clinic-sync يحتاج إلى هذا الاسم.',
  files_stuck: '{names} في {place}: لا يمكن أخذه{code}. أغلقه حيث هو مفتوح أو غيّر اسمه؛ وكل ما عداه مستمر.',
  sheet_in_bin:
    'جدول البيانات في مهملات Google Drive: الصفوف المؤشَّرة تُحجز وما عداها متوقف. يستعيده مالكه من هناك أو يعطي clinic-sync جدولًا آخر؛ وتحذفه Google بعد 30 يومًا.',
  sheet_full:
    'جدول البيانات ممتلئ (تسمح Google بعشرة ملايين خلية): لا يُضاف جديد. احذف صفوفًا فارغة أو أعمدة أو أوراقًا قديمة.',
  tab_unmarked: '‏{place}: لم تعد تحمل علامات clinic-sync ولا تُحدَّث.',
  bookings_unmarked:
    '‏{place}: لم تعد تحمل علامات clinic-sync؛ الصفوف المؤشَّرة فيها لا تُحجز. انقلها إلى الورقة الحالية.',
  tab_gone:
    '‏{place}: اختفت الورقة، لذلك ينشئ clinic-sync ورقة جديدة بعد دقيقة. ما أضافه الناس موجود في سجل إصدارات الجدول؛ وإن لم تكن الورقة مطلوبة فاحذفها من `tabs`.',
  writes_undone:
    '‏{place}: ما يكتبه clinic-sync لا يبقى، وكل قراءة تُظهر الخلايا السابقة. ابحث عن نص برمجي في الجدول، أو وسيط أمام Google، يتراجع عنه.',
  tab_copied: '‏{place}: نسخة من ورقة يحدّثها clinic-sync؛ وهي لا تُحدَّث.',
  bookings_copied: '‏{place}: نسخة من ورقة يحدّثها clinic-sync؛ الصفوف المؤشَّرة فيها لا تُحجز.',
  copy_ticked: {
    one: 'صف واحد مؤشَّر في نسخة من Bookings لم يُحجز. انقله إلى الورقة الحالية.',
    other: 'صفوف مؤشَّرة في نسخة من Bookings لم تُحجز، عددها {count}. انقلها إلى الورقة الحالية.',
  },
  part_drop_downs: 'قوائم الاختيار في Bookings',
  part_stale_colour: 'لون STALE في Sync',
  part_age: 'عمر {tab}',
  part_ages: 'أعمار الأوراق',
  part_charts: 'الرسوم البيانية في Overview',
  part_refused: '‏{place}: غير محدَّثة. {detail}',
  id_column_gone:
    '‏{place}: حُذف العمود ID (أو Clinic)، فلا يمكن تمييز الصفوف وتُترك الورقة كما هي. تراجع عن الحذف أو شغّل: clinic-sync connectors repair.',
  cells_drifted: {
    one: '‏{place}: خلية واحدة غُيّرت يدويًا وتُركت كذلك (on_drift: report).',
    other: '‏{place}: خلايا غُيّرت يدويًا وتُركت كذلك، عددها {count} (on_drift: report).',
  },
  rows_doubled: {
    one: '‏{place}: ‏{ids} في أكثر من صف؛ المجاميع تحسبه مرتين. احذف النسخة.',
    other: '‏{place}: ‏{ids} في أكثر من صف؛ المجاميع تحسبها مرتين. احذف النسخ.',
  },
  rows_unknown: {
    one: '‏{place}: الصف {rows} بلا ID أو Clinic معروف؛ لا يُحدَّث، وقد تحسبه المجاميع مرتين. احذفه.',
    other: '‏{place}: الصفوف {rows} بلا ID أو Clinic معروف؛ لا تُحدَّث، وقد تحسبها المجاميع مرتين. احذفها.',
  },
  cells_hidden: {
    one: '‏{place}: خلية لنا مخفية في خلايا مدمجة؛ لا تُقرأ ولا تُكتب. ألغِ الدمج.',
    other: '‏{place}: خلايا لنا مخفية في خلايا مدمجة، عددها {count}؛ لا تُقرأ ولا تُكتب. ألغِ الدمج.',
  },
  cells_merged: {
    one: '‏{place}: خلية أو صف غير محدَّث لأن خلايا دُمجت هناك. ألغِ الدمج.',
    other: '‏{place}: خلايا أو صفوف غير محدَّثة لأن خلايا دُمجت هناك، عددها {count}. ألغِ الدمج.',
  },
  tab_protected: {
    one: '‏{place}: خلية أو صف غير محدَّث لأن الورقة محمية. اسمح لعنوان clinic-sync بتعديلها.',
    other:
      '‏{place}: خلايا أو صفوف غير محدَّثة لأن الورقة محمية، عددها {count}. اسمح لعنوان clinic-sync بتعديلها.',
  },
  range_protected: {
    one: '‏{place}: خلية أو صف غير محدَّث لأن النطاق {range} محمي. اسمح لعنوان clinic-sync بتعديله.',
    other:
      '‏{place}: خلايا أو صفوف غير محدَّثة لأن النطاق {range} محمي، عددها {count}. اسمح لعنوان clinic-sync بتعديله.',
  },
  columns_gone: {
    one: '‏{place}: العمود {columns} لا يُحدَّث: حُذف أو بلا علامتنا. لاستعادته: clinic-sync connectors repair.',
    other:
      '‏{place}: الأعمدة {columns} لا تُحدَّث: حُذفت أو بلا علامتنا. لاستعادتها: clinic-sync connectors repair.',
  },
  fees_as_text: {
    one: '‏{place}: سعر واحد مكتوب كنص: جدول البيانات لا يتسع للرقم بدقة.',
    other: '‏{place}: أسعار مكتوبة كنص، عددها {count}: جدول البيانات لا يتسع للأرقام بدقة.',
  },
  booking_columns_gone: {
    one: '‏{place}: حُذف العمود {columns}، فلا يُؤخذ أي حجز من الورقة. تراجع عن الحذف أو شغّل: clinic-sync connectors repair.',
    other:
      '‏{place}: حُذفت الأعمدة {columns}، فلا يُؤخذ أي حجز من الورقة. تراجع عن الحذف أو شغّل: clinic-sync connectors repair.',
  },
  row_refused: '‏{place}: لم يُقبل {ref}. {detail}',
  answers_closed: {
    one: '‏{place}: خلية واحدة لا يمكن كتابتها لأنها محمية أو مدمجة. اسمح لعنوان clinic-sync بتعديل Ref وState وAppointment وMessage وUpdated وSend.',
    other:
      '‏{place}: خلايا لا يمكن كتابتها لأنها محمية أو مدمجة، عددها {count}. اسمح لعنوان clinic-sync بتعديل Ref وState وAppointment وMessage وUpdated وSend.',
  },
  rows_changed:
    '‏{place}: غُيّر بعد إرساله، فالعيادة لا تعلم به: ‏{rows}.\nاتصل بالعيادة. يبقى هذا ظاهرًا حتى يمضي الموعد أو يعود الصف إلى ما أُرسل.',
  rows_overtyped: '‏{place}: كُتب مريض آخر فوق ‏{rows} ولم يُحجز له.\nاكتبه في صف خاص به.',
  columns_unmarked: '‏{place}: فقد العمود ‏{columns} علامتنا فلا يُحدَّث.\nنفّذ: clinic-sync connectors repair.',
  booking_columns_unmarked:
    '‏{place}: فقد العمود ‏{columns} علامتنا، فلا يُؤخذ أي حجز من الورقة.\nنفّذ: clinic-sync connectors repair.',
  columns_moved:
    '‏{place}: قُصّ ‏{columns} ولُصق في مكان آخر وبقيت علامتنا في مكانها؛ لا يُكتب هناك شيء ولا يُقرأ.\nنفّذ: clinic-sync connectors repair. ينقل العلامة.',
  header_gone: '‏{place}: حُذف صف العناوين.\nلإعادته: clinic-sync connectors repair.',
  cells_written_back:
    '‏{place}: نص برمجي أو إضافة أو شخص يعيد مرارًا تغيير ما يكتبه clinic-sync: ‏{cells}.\nابحث عنه تحت الإضافات وأوقفه.',
  ref_closed:
    '‏{place}: لا يُحجز شيء من هذه الورقة ما دام Ref محميًا أو مدموجًا.\nاسمح لعنوان clinic-sync بتعديل Ref وState وAppointment وMessage وUpdated وSend.',
  erased_shown:
    '‏{place}: ‏{refs}: غُيّر الصف بعد إرساله ومُحي صاحبه منذ ذلك الحين. احذف ما بقي عنه، أو أفرغ Ref إذا كان الصف عن شخص آخر.',
  deliveries_held_up: {
    one: 'حدث واحد ينتظر منذ {since} ويُرسل من جديد في {until}. {detail}',
    two: 'حدثان ينتظران منذ {since}؛ المحاولة التالية في {until}. {detail}',
    few: '{count} أحداث تنتظر منذ {since}؛ المحاولة التالية في {until}. {detail}',
    many: '{count} حدثًا تنتظر منذ {since}؛ المحاولة التالية في {until}. {detail}',
    other: '{count} حدث تنتظر منذ {since}؛ المحاولة التالية في {until}. {detail}',
  },
};
