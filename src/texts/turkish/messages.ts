import type { Translated } from '../catalogue.ts';
import type { messages as english } from '../english/messages.ts';

export const messages: Translated<typeof english> = {
  told_opened: { one: 'Sizi bekliyor', other: '{count} konu sizi bekliyor' },
  told_reminder: { one: 'Hâlâ sizi bekliyor', other: '{count} konu hâlâ sizi bekliyor' },
  told_settled: { one: 'Çözüldü', other: '{count} konu çözüldü' },
  told_trouble: { one: 'Arıza', other: '{count} noktada arıza' },
  told_recovered: { one: 'Düzeldi', other: '{count} nokta yeniden çalışıyor' },
  told_silence: { one: 'Talep gelmiyor', other: '{count} kaynaktan talep gelmiyor' },
  told_test: 'Deneme',
  told_since: '{time} tarihinden beri.',
  told_over: 'Sona erdi; süre: {time}',
  told_unreached: '{name} hedefine ulaşılamıyor.',
  told_perhaps: 'Bu bildirim size daha önce ulaşmış olabilir.',
  open: 'Aç',
  kind_probe: 'deneme talebi',
  kind_database: 'veritabanı',
  kind_reading: 'okuma',
  kind_schedule: 'zamanlama',
  kind_silence: 'sessizlik',
  need_silence_day: '{name} üzerinden {what} süredir talep yok; olağanı günde {count}.',
  need_silence_week: '{name} üzerinden {what} süredir talep yok; olağanı haftada {count}.',
  need_test: 'Bu bir clinic-sync denemesidir: iletiler buraya ulaşıyor.',
  need_database_works: 'Veritabanı yeniden çalışıyor.',
  todo_silence:
    'Kendiniz bir talep gönderip ulaşıp ulaşmadığına bakın: form ya da site bozulmuş olabilir. Kapalıysanız ne zamana kadar olduğunu kliniğin sayfasında belirtin.',
  todo_test: 'Yapılacak bir şey yok.',
  todo_booking: '“clinic-sync bookings show {name}” gösterir.',
};
