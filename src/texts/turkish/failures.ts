import type { failureTexts as english } from '../../domain/failure-texts.ts';
import type { Translated } from '../catalogue.ts';

export const failures: Translated<typeof english> = {
  google_sign_in_ended:
    'Google oturumu artık kabul etmiyor: geri çekildi ya da süresi doldu.\nYeniden oturum açın: clinic-sync connectors login. OAuth uygulaması “Testing” durumundayken Google her oturumu yedi gün sonra bitirir: yayımlayın ya da “Internal” yapın.',
  google_client_unknown:
    'Google, oturumun OAuth istemcisini tanımıyor.\nİstemcinin JSON dosyasını yeniden indirin, sonra: clinic-sync connectors login.',
  google_key_refused:
    'Google {address} anahtarını kabul etmiyor: anahtar ya da hesap geri çekildi veya silindi.\nHizmet hesabı için yeni bir anahtar oluşturun (Keys, Add key, JSON) ve eskisinin yerine koyun.',
  google_clock:
    'Google oturumumuzu kabul etmiyor, çünkü bu makinenin saati yanlış.\nSaati ayarlayın (NTP), sonra yeniden deneyin.',
  google_account_disabled:
    'Google {address} hesabını devre dışı bıraktı.\nGoogle Cloud konsolunda hesabı etkinleştirin (IAM & Admin, Service accounts) ya da yenisini açın.',
  google_client_disabled:
    'Google {address} hesabını devre dışı bıraktı.\nGoogle Cloud konsolunda projenin kimlik bilgilerine bakın ya da yenilerini oluşturun.',
  google_slow_down:
    'Google yavaşlamamızı istiyor ({status}).\nYapılacak bir şey yok: bir dakika içinde devam eder.',
  google_token_refused: 'Google anahtar kodumuzu (token) kabul etmedi.\nSonraki deneme yenisini ister.',
  google_reauth:
    'Google, {address} için yeniden oturum açılmasını istiyor: kuruluş bunu birkaç saatte bir şart koşuyor.\nOturum açın: clinic-sync connectors login. Hizmet hesabı ya da Google yöneticisinin uygulamaya tanıdığı istisna bunu gereksiz kılar.',
  google_client_unauthorized:
    'Google, bu istemcinin {address} olarak oturum açmasına izin vermiyor: silinmiş ya da başka bir oturum türü için yapılmış.\nMasaüstü uygulaması türünde bir OAuth istemcisi (ya da yeni bir anahtar) oluşturun, sonra: clinic-sync connectors login.',
  google_project_suspended:
    'Google, {address} hesabının Cloud projesini askıya aldı.\nGoogle’ın sahibine gönderdiği e-postayı okuyup Google Cloud konsolunda itiraz edin ya da başka bir projenin hesabını kullanın.',
  google_project_gone:
    '{address} hesabının Cloud projesi silinmiş.\nGoogle Cloud konsolunda 30 gün içinde geri yükleyin (IAM ve Yönetici, Kaynakları yönet) ya da başka bir projede hesap oluşturun.',
  google_billing:
    '{address} hesabının Cloud projesinde faturalandırma kapalı, Google ise bunu istiyor.\nGoogle Cloud konsolunda faturalandırmayı açın ya da başka bir projenin hesabını kullanın.',
  google_address_blocked:
    'Google, bu makinenin ağ adresinden gelen çağrıları reddediyor.\nİstemcide ve kuruluşun erişim düzeylerinde adres kısıtlamalarına bakın, bu adrese izin verin.',
  google_other_reason:
    'Google bunu {address} için reddetti: {reason}.\nBu nedeni Google belgelerinde arayın ya da Google yöneticinize sorun.',
  google_no_project:
    'Google, çağrılarımızın hangi projenize ait olduğunu bilmiyor.\nŞunu çalıştırın: gcloud auth application-default set-quota-project PROJECT; projede Google Sheets API etkin olmalı.',
  google_scope:
    '{address} oturumu tabloları kapsamıyor.\nBunun için oturum açın: clinic-sync connectors login ya da {login}. Google’ın sanal makinesi için {scope} kapsamı gerekir.',
  google_api_off:
    'Hizmet hesabının projesinde Google Sheets API kapalı.\nGoogle Cloud konsolunda “APIs & Services” bölümünü açın, “Google Sheets API” arayın ve “Enable” düğmesine basın.',
  google_drive_full:
    'Tablo sahibinin Google Drive’ı dolu.\nOrada yer açın (Gmail ve Fotoğraflar’da da) ya da tabloyu yeri olan birine devredin.',
  google_policy:
    'Kuruluşunuzun Google kuralları bunu {address} için yasaklıyor.\nGoogle yöneticinizden izin isteyin ya da kuruluştan biri olarak oturum açın: clinic-sync connectors login.',
  google_read_only:
    '{address} tabloya bakabilir ama onu değiştiremez.\nTabloyu bu adresle düzenleyici olarak paylaşın.',
  google_not_shared: 'Tablo {address} ile paylaşılmamış.\nTabloyu bu adresle düzenleyici olarak paylaşın.',
  google_no_spreadsheet:
    'Bu kimlikle bir tablo yok: yanlış yazılmış ya da tablo silinmiş.\nTarayıcıdaki adresini `spreadsheet` ayarına kopyalayın; Google Drive’ın çöp kutusuna bakın.',
  google_typed_columns:
    'Birinin sütun türleri olan bir tablo yaptığı yerde Google bizden açılır liste ve onay kutusu almıyor.\nHiçbir şey kaybolmaz: adlar elle yazılabilir. Geri getirmek için o tabloyu biçimsiz verilere dönüştürün.',
  google_protected:
    'Tabloda bir yer {address} için korumalı.\n“Veri”, “Sayfaları ve aralıkları koru” bölümünde bu adrese düzenleme izni verin; geri kalan her şey güncel kalır.',
  google_full:
    'Tablo dolu: Google on milyon hücreye izin verir.\nBoş satırları, sütunları ya da eski sekmeleri silin veya clinic-sync’e ayrı bir tablo verin.',
  google_tab_gone: 'Bir sekme silindi.\nYeniden oluşturulur.',
  google_excel:
    'Bu dosya Google Drive’da bir Excel çalışma kitabı, Google tablosu değil.\nAçın, “Dosya”, “Google E-Tablolar olarak kaydet” seçin; sonra yeni dosyanın adresini kullanın.',
  google_changed: 'Tablo aynı anda değiştirildi.\nYeniden okunur.',
  google_refused:
    'Google isteğimizi reddetti ({words}).\nBu bağlayıcının hatasıdır; saatiyle birlikte bildirin.',
  google_cell_refused:
    'Google, clinic-sync’in oraya yazdığını reddediyor{cell}: {words}.\nOrada elle yapılan son değişikliği geri alın (kural, tablo, birleştirme, koruma); beş dakika içinde yeniden denenir.',
  google_unreachable:
    'Google’a ulaşılamadı{code}.\nSürerse ağı ve güvenlik duvarının sheets.googleapis.com ile oauth2.googleapis.com adreslerine izin verdiğini denetleyin.',
  google_certificate:
    'Google’a güvenli bağlantı kurulamadı{code}.\nYolda onun yerine bir şey yanıt veriyor: güvenlik duvarında ya da vekilde Google’ı denetim dışı bırakın veya NODE_EXTRA_CA_CERTS’e onların sertifika makamının sertifikasını yazın.',
  google_redirect:
    'Google bir yönlendirmeyle yanıt verdi ({status}); yönlendirme izlenmez.\nSürerse Google’ın yerine bir vekil sunucu ya da güvenlik duvarı yanıt veriyor olabilir.',
  google_web_page:
    'Google yerine bir web sayfası yanıt verdi ({status}).\nBöyle kalırsa bu ağın vekil sunucusunun, güvenlik duvarının ya da oturum açma sayfasının sheets.googleapis.com ve oauth2.googleapis.com adreslerini geçirmesini sağlayın.',
  google_odd_answer:
    'Google yerine gelen yanıt ({status}) istenen şey değil; hiçbir kısmı kullanılmadı.\nBöyle kalırsa Google yerine yanıt veren bir vekil sunucu ya da güvenlik duvarı arayın.',
  google_status: 'Google {status} yanıtını verdi.\nYeniden denenir.',
  sheet_of_another:
    'Tabloyu başka bir clinic-sync kurulumu ({name}) tutuyor; ona hiçbir şey yazılmaz ve ondan rezervasyon alınmaz.\nO kurulum artık çalışmıyorsa (ya da veritabanı kaybolduysa) `adopt: {name}` yazın ve yeniden başlatın.',
  folder_denied:
    '{place} içine yazma izni yok.\n{user} numaralı kullanıcının orada okuyup yazmasına izin verin (sahip ya da birim seçenekleri) veya başka bir dizin seçin.',
  folder_read_only:
    '{place} salt okunur bir dosya sisteminde.\nBirimi yazılabilir bağlayın ya da başka bir dizin seçin.',
  folder_is_file:
    '{place} dizin olarak kullanılamıyor: yerinde bir dosya var.\nO dosyayı taşıyın ya da başka bir dizin seçin.',
  share_away:
    '{place} ağ paylaşımı bağlı değil, bu yüzden oraya hiçbir şey yazılmıyor.\nPaylaşımı yeniden bağlayın. Dosyalar paylaşım olmadan orada kalacaksa clinic-sync connectors repair çalıştırın.',
  inbox_away:
    '{place} boş, oysa buradan daha önce dosya alındı: ağ paylaşımı büyük olasılıkla bağlı değil.\nPaylaşımı yeniden bağlayın. Dizin gerçekten boş olacaksa içinde done dizinini oluşturun.',
  disk_full: '{place} için yer kalmadı.\nO diskte yer açın; yazma sonra sürer.',
  write_failed: '{place} içine yazılamadı{code}.\nDiski ya da ağ paylaşımını denetleyin.',
  file_in_use:
    '{place} değiştirilemedi{code}.\nAçık olduğu yerde kapatın ya da clinic-sync’in değiştirmesine izin verin; öteki dosyalar güncel.',
  receiver_rejects: 'Alıcı {status} yanıtını verdi.\nGünlüğüne bakın: bu olayı kabul etmiyor.',
  receiver_denies:
    'Alıcı {status} yanıtını verdi.\nİki taraftaki gizli anahtarı ve üst bilgileri denetleyin.',
  receiver_clock:
    'Alıcı {status} yanıtını verdi; bu makinenin saati onunkinden {minutes} dk farklı.\nSaati ayarlayın (NTP): imza yalnızca birkaç dakika geçerlidir.',
  receiver_not_there: 'Alıcı {status} yanıtını verdi.\nurl ayarını denetleyin: orada bir şeyi yok.',
  receiver_no_post: 'Alıcı {status} yanıtını verdi.\nurl ayarını denetleyin: orada POST kabul etmiyor.',
  receiver_gone:
    'Alıcı {status} yanıtını verdi.\nArtık olay istemiyor. Bağlayıcıyı kaldırın; yanlışsa sürdürün.',
  receiver_too_large:
    'Alıcı {status} yanıtını verdi.\nDaha büyük içerik almasını sağlayın ya da thin: true yazın.',
  receiver_slow_down: 'Alıcı {status} yanıtını verdi.\nrate ayarını onun izin verdiğine göre yapın.',
  receiver_redirect:
    'Alıcı {status} yanıtını verdi.\nYönlendirmeler izlenmez: yeni adresi url ayarına yazın.',
  receiver_broken: 'Alıcı {status} yanıtını verdi.\nKendi arızası var; günlüğüne bakın.',
  receiver_web_page:
    'Alıcı {status} ile bir web sayfası gönderdi; bunu daha önce hiç yapmamıştı.\nurl ayarının hâlâ alıcıya gittiğini denetleyin: alan adı el değiştirmiş olabilir ya da onun yerine bir portal yanıt veriyordur.',
  receiver_status: 'Alıcı {status} yanıtını verdi.',
  paused_by: 'Duraklatan: {who}.',
  paused_by_person: 'Biri duraklattı.',
  paused_outage:
    'Bir gün boyunca hiçbir şey teslim edilemedi ({detail}). Hiçbir şey kaybolmadı; her saat yeniden denenir.',
};
