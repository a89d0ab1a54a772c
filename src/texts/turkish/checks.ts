import type { checkTexts as english } from '../../domain/check-texts.ts';
import type { Translated } from '../catalogue.ts';

export const checks: Translated<typeof english> = {
  check_files: 'dosyalar: {place} içine yazılabiliyor',
  check_files_later: 'dosyalar: {place} henüz yok, oluşturulacak',
  check_inbox: 'gelen klasörü: {place} içine yazılabiliyor',
  check_inbox_later: 'gelen klasörü: {place} henüz yok, oluşturulacak',
  check_free: '{place} için {size} boş',
  check_free_little: '{place} için {size} boş\nO diskte yer açın.',
  check_xlsx: 'XLSX: sayılar, tarihler ve baştaki sıfırlar olduğu gibi gelir',
  check_data: 'data profili: kesin değerler, programlar için',
  check_excel:
    'excel profili: açması güvenli, ama tablo programı baştaki sıfırları atar (017…); `format: xlsx` onları korur',
  check_inbox_clinic:
    'gelen klasörü: birden çok klinik var ve inbox_clinic ayarlı değil\ninbox_clinic ayarlayın ya da her dosyaya clinic sütunu koyun.',
  check_key: 'anahtar: {address} (tablonun paylaşılacağı adres)',
  check_key_open:
    'anahtar: {file} dosyasını bu makinenin başka kullanıcıları okuyabiliyor\nŞunu çalıştırın: chmod 600 {file}',
  check_token: 'token: Google anahtarı kabul ediyor',
  check_read: 'okuma: “{title}” okunabiliyor',
  check_write: 'yazma: {address} onu değiştirebilir',
  check_bin:
    'çöp kutusu: tablonun Google Drive’ın çöp kutusunda olup olmadığı görülemedi\nGoogle Cloud konsolunda “APIs & Services” bölümünü açın, “Google Drive API” arayın ve “Enable” düğmesine basın.',
  check_keeper: 'tutan: bu kurulum',
  check_keeper_none: 'tutan: henüz yok; ilk çalışma bunu yazar',
  check_columns:
    'sütunlar: {place} sekmesinde {columns} yok\nÖyle kalır. Geri getirmek için: clinic-sync connectors repair.',
  check_looks:
    'biçimler: {place} sekmesinde {columns}, yeni sekmedeki biçimden veya uyarıdan yoksun; sıfırlar kaybolabilir, yanıtların üzerine yazılabilir\nAyarlamak için: clinic-sync connectors repair.',
  check_protection:
    'koruma: {place} sekmesinin bir aralığı bize kapalı\n“Veri”, “Sayfaları ve aralıkları koru” bölümünde yukarıdaki adrese düzenleme izni verin.',
  check_copies:
    'sekmeler: {tabs}, clinic-sync’in bir sekmesinin kopyası; güncellenmiyor\nKayıt olarak saklayın ya da silin.',
  check_tabs: 'sekmeler: {tabs}',
  check_tabs_later: 'sekmeler: {tabs}; ilk çalışmada oluşacaklar: {missing}',
  check_month_first:
    'E-tablo ({locale}) yazılan 05/01/2027’yi 1 Mayıs okur, oysa {zone} için 5 Ocak demektir.\nDosya, Ayarlar, Yerel ayar altında değiştirin ya da günleri takvimden seçin; Message her günü yazıyla söyler.',
  check_locale: 'yerel ayar {locale}, saat dilimi {zone}',
  check_reachable: '{host} yanıt veriyor',
  check_certificate: '{host} yanıt veriyor ve geçerli bir sertifikası var',
  check_unencrypted:
    'Hasta verileri şifresiz gidiyor\nhttps kullanın ya da patient değerini include ayarından çıkarın.',
  check_short_secret:
    'Gizli anahtar 24 bayttan kısa\n`openssl rand -base64 24` ile yenisini yapın ve başına whsec_ koyun.',
  check_form: 'rezervasyon formu {path} adresinde; oradan gönderilebilir',
  check_form_sites: 'rezervasyon formu {path} adresinde; oradan ve {sites} formlarından gönderilebilir',
  check_no_submission: 'henüz hiçbir talep gelmedi',
};
