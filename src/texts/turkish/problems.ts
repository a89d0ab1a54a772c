import type { problemTexts as english } from '../../domain/problem-texts.ts';
import type { Translated } from '../catalogue.ts';

export const problems: Translated<typeof english> = {
  texts_cut: {
    one: '{place}: 1 metin bir hücreye sığmıyor ve kesildi.',
    other: '{place}: {count} metin bir hücreye sığmıyor ve kesildi.',
  },
  file_unread: '{place} içindeki bir dosya okunamıyor (EIO): diski denetleyin.',
  files_failed: {
    one: '{place} içinde 1 dosya: rezerve edilmedi ya da tamamı edilmedi. Nedeni yanındaki .error.txt dosyasında; düzeltin, yeniden bırakın, oradan silin.',
    other:
      '{place} içinde {count} dosya: rezerve edilmedi ya da tamamı edilmedi. Nedeni her birinin yanındaki .error.txt dosyasında; düzeltin, yeniden bırakın, oradan silin.',
  },
  files_other:
    '{names}, {place} içinde: ne .csv dosyası ne de .xlsx çalışma kitabı, bu yüzden rezerve edilmiyor. Oraya CSV olarak kaydedin ya da başka yere taşıyın.',
  files_unnameable: {
    one: '{place} içindeki 1 dosya açılamıyor, çünkü adı UTF-8 değil: yalın harflerle yeniden adlandırın.',
    other:
      '{place} içindeki {count} dosya açılamıyor, çünkü adları UTF-8 değil: yalın harflerle yeniden adlandırın.',
  },
  files_in_folders:
    '{names}: {place} içindeki bir klasörde duruyor; orada hiçbir şey okunmaz. Dosyayı doğrudan {place} içine taşıyın.',
  files_online_only:
    '{names}, {place} içinde: yalnızca bulut sürücüsünün yer tutucusu, içeriği yok. Dosyayı orada çevrimdışı kullanılabilir yapın.',
  files_unsettled:
    '{names}, {place} içinde: {since} tarihinden beri eksik, bu yüzden okunmuyor. Yeniden kopyalayın veya oradan silin.',
  files_of_others:
    '{names}, {place} içinde: sahibi {owner} olduğu için {user} numaralı kullanıcı taşıyamıyor. Dosyayı {user} numaralı kullanıcıya verin veya klasörün yapışkan bitini kaldırın; geri kalan her şey sürüyor.',
  files_not_ours:
    '{names}, {place} içinde: clinic-sync tarafından yazılmadı veya sonradan değiştirildi, bu yüzden olduğu gibi kalır. Yeniden adlandırın veya başka yere taşıyın, çünkü clinic-sync bu ada gerek duyuyor.',
  files_stuck:
    '{names}, {place} içinde: alınamıyor{code}. Açık olduğu yerde kapatın veya yeniden adlandırın; geri kalan her şey sürüyor.',
  sheet_in_bin:
    'Tablo Google Drive’ın çöp kutusunda: işaretli satırlar rezerve edilir, geri kalan her şey durur. Sahibi onu oradan geri getirir ya da clinic-sync’e başka bir tablo verir; Google 30 gün sonra siler.',
  sheet_full:
    'Tablo dolu (Google on milyon hücreye izin verir): yeni bir şey eklenmiyor. Boş satırları, sütunları ya da eski sekmeleri silin.',
  tab_unmarked: '{place}: artık clinic-sync işaretlerini taşımıyor ve güncellenmiyor.',
  bookings_unmarked:
    '{place}: artık clinic-sync işaretlerini taşımıyor; işaretli satırlar rezerve EDİLMİYOR. Onları şimdiki sekmeye taşıyın.',
  tab_gone:
    '{place}: sekme yok olmuştu; clinic-sync bir dakika sonra yenisini oluşturur. İnsanların eklediği her şey tablonun sürüm geçmişinde; sekme istenmiyorsa `tabs` ayarından çıkarın.',
  writes_undone:
    '{place}: clinic-sync’in yazdıkları kalmıyor, her okuma önceki hücreleri gösteriyor. Bunu geri alan bir betiği tabloda ya da Google’ın önündeki bir vekil sunucuyu arayın.',
  tab_copied: '{place}: clinic-sync’in tuttuğu bir sekmenin kopyası; güncellenmiyor.',
  bookings_copied:
    '{place}: clinic-sync’in tuttuğu bir sekmenin kopyası; işaretli satırlar rezerve EDİLMİYOR.',
  copy_ticked: {
    one: 'Bookings kopyasında işaretli 1 satır rezerve EDİLMEDİ. Onu şimdiki sekmeye taşıyın.',
    other: 'Bookings kopyasında işaretli {count} satır rezerve EDİLMEDİ. Onları şimdiki sekmeye taşıyın.',
  },
  part_drop_downs: 'Bookings açılır listeleri',
  part_stale_colour: 'Sync sekmesinde STALE rengi',
  part_age: '{tab} verilerinin yaşı',
  part_ages: 'Sekmelerdeki verilerin yaşı',
  part_charts: 'Overview grafikleri',
  part_refused: '{place}: güncel değil. {detail}',
  id_column_gone:
    '{place}: ID (ya da Clinic) sütunu silindi; satırlar ayırt edilemiyor ve sekme olduğu gibi bırakılıyor. Silmeyi geri alın ya da şunu çalıştırın: clinic-sync connectors repair.',
  cells_drifted: {
    one: '{place}: 1 hücre elle değiştirildi ve öyle bırakıldı (on_drift: report).',
    other: '{place}: {count} hücre elle değiştirildi ve öyle bırakıldı (on_drift: report).',
  },
  rows_doubled: {
    one: '{place}: {ids} birden çok satırda; toplamlar onu iki kez sayıyor. Kopyayı silin.',
    other: '{place}: {ids} birden çok satırda; toplamlar onları iki kez sayıyor. Kopyaları silin.',
  },
  rows_unknown: {
    one: '{place}: {rows}. satırın bilinen bir ID’si ya da Clinic’i yok; satır güncellenmiyor, toplamlar onu iki kez sayabilir. Satırı silin.',
    other:
      '{place}: {rows} numaralı satırların bilinen bir ID’si ya da Clinic’i yok; güncellenmiyorlar, toplamlar onları iki kez sayabilir. Satırları silin.',
  },
  cells_hidden: {
    one: '{place}: 1 hücremiz birleştirilmiş hücrelerin altında; okunmuyor ve yazılmıyor. Birleştirmeyi kaldırın.',
    other:
      '{place}: {count} hücremiz birleştirilmiş hücrelerin altında; okunmuyor ve yazılmıyor. Birleştirmeyi kaldırın.',
  },
  cells_merged: {
    one: '{place}: 1 hücre ya da satır güncel değil, çünkü orada hücreler birleştirilmiş. Birleştirmeyi kaldırın.',
    other:
      '{place}: {count} hücre ya da satır güncel değil, çünkü orada hücreler birleştirilmiş. Birleştirmeyi kaldırın.',
  },
  tab_protected: {
    one: '{place}: 1 hücre ya da satır güncel değil, çünkü sekme korumalı. clinic-sync adresine düzenleme izni verin.',
    other:
      '{place}: {count} hücre ya da satır güncel değil, çünkü sekme korumalı. clinic-sync adresine düzenleme izni verin.',
  },
  range_protected: {
    one: '{place}: 1 hücre ya da satır güncel değil, çünkü {range} aralığı korumalı. clinic-sync adresine düzenleme izni verin.',
    other:
      '{place}: {count} hücre ya da satır güncel değil, çünkü {range} aralığı korumalı. clinic-sync adresine düzenleme izni verin.',
  },
  columns_gone: {
    one: '{place}: {columns} sütunu güncellenmiyor: silinmiş ya da işaretimiz yok. Geri getirmek için: clinic-sync connectors repair.',
    other:
      '{place}: {columns} sütunları güncellenmiyor: silinmiş ya da işaretimiz yok. Geri getirmek için: clinic-sync connectors repair.',
  },
  fees_as_text: {
    one: '{place}: 1 ücret metin olarak yazıldı: tablo sayıyı tam olarak tutamıyor.',
    other: '{place}: {count} ücret metin olarak yazıldı: tablo sayıları tam olarak tutamıyor.',
  },
  booking_columns_gone: {
    one: '{place}: {columns} sütunu silindi; bu sekmeden rezervasyon alınmıyor. Silmeyi geri alın ya da şunu çalıştırın: clinic-sync connectors repair.',
    other:
      '{place}: {columns} sütunları silindi; bu sekmeden rezervasyon alınmıyor. Silmeyi geri alın ya da şunu çalıştırın: clinic-sync connectors repair.',
  },
  row_refused: '{place}: {ref} kabul edilmedi. {detail}',
  answers_closed: {
    one: '{place}: 1 hücre korumalı ya da birleştirilmiş olduğu için yazılamıyor. clinic-sync adresine Ref, State, Appointment, Message, Updated ve Send için düzenleme izni verin.',
    other:
      '{place}: {count} hücre korumalı ya da birleştirilmiş olduğu için yazılamıyor. clinic-sync adresine Ref, State, Appointment, Message, Updated ve Send için düzenleme izni verin.',
  },
  rows_changed:
    '{place}: gönderildikten sonra değiştirildi, klinik bunu bilmiyor: {rows}.\nKliniği arayın. Randevu geçene ya da satırda yeniden gönderilenler yazana kadar burada görünür.',
  rows_overtyped:
    '{place}: {rows} üzerine başka bir hasta yazıldı ve randevusu ALINMADI.\nO hastayı kendi satırına yazın.',
  columns_unmarked:
    '{place}: {columns} sütunu işaretimizi kaybetti ve güncel tutulmuyor.\nÇalıştırın: clinic-sync connectors repair.',
  booking_columns_unmarked:
    '{place}: {columns} sütunu işaretimizi kaybetti, bu yüzden bu sekmeden rezervasyon alınmıyor.\nÇalıştırın: clinic-sync connectors repair.',
  columns_moved:
    '{place}: {columns} kesilip başka yere yapıştırıldı, işaretimiz yerinde kaldı; orada hiçbir şey yazılmıyor ve okunmuyor.\nÇalıştırın: clinic-sync connectors repair. İşareti taşır.',
  header_gone: '{place}: başlık satırı silindi.\nGeri getirmek için: clinic-sync connectors repair.',
  cells_written_back:
    '{place}: bir betik, bir eklenti ya da biri clinic-sync’in yazdığını sürekli geri değiştiriyor: {cells}.\nUzantılar altında bulup durdurun.',
  ref_closed:
    '{place}: Ref korumalı ya da birleştirilmiş olduğu sürece bu sekmeden randevu alınmıyor.\nclinic-sync adresinin Ref, State, Appointment, Message, Updated ve Send sütunlarını düzenlemesine izin verin.',
  erased_shown:
    '{place}: {refs}: satır gönderildikten sonra değiştirildi ve kişi o zamandan beri silindi. Ondan hâlâ görüneni silin ya da satır başka biri hakkındaysa Ref hücresini boşaltın.',
  deliveries_held_up: {
    one: '1 olay {since} tarihinden beri bekliyor ve {until} tarihinde yeniden gönderilecek. {detail}',
    other: '{count} olay {since} tarihinden beri bekliyor; sonraki deneme {until}. {detail}',
  },
};
