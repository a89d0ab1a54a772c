import type { networkTexts as english } from '../../platform/network-texts.ts';
import type { Translated } from '../catalogue.ts';

export const network: Translated<typeof english> = {
  net_private:
    '{name}: yalnızca özel veya yerel adresleri var ve bunlar reddedilir{detail}.\nAlıcı gerçekten oradaysa ağını allow_networks içine ekleyin.',
  net_proxy:
    '{name}: giden vekil sunucu üzerinden ulaşılamadı{detail}.\nHTTPS_PROXY veya HTTP_PROXY ayarını denetleyin: adres, kullanıcı, parola ve vekilin bu sunucuya izin verip vermediği; ya da sunucuyu NO_PROXY içine yazın.',
  net_no_host: '{name} bulunamadı{detail}.\nSunucu adını ({setting}) ve DNS’i denetleyin.',
  net_dns: '{name}: adresi çözülemedi{detail}.\nDNS yanıt vermedi; ağı denetleyin.',
  net_refused:
    '{name} bağlantıyı reddetti{detail}.\nÇalıştığını, adresi ve bağlantı noktasını ({setting}) denetleyin.',
  net_reset:
    '{name} bağlantıyı kapattı{detail}.\nOradaki günlüğe ve aradaki bir vekil sunucunun günlüğüne bakın.',
  net_no_connection:
    '{name}: bağlantı zamanında kurulamadı{detail}.\nAdresi ve bağlantı noktasını ({setting}), ağı ve aradaki güvenlik duvarlarını denetleyin.',
  net_slow:
    '{name} zamanında yanıt vermedi{detail}.\nYüküne ve günlüğüne bakın; yalnızca yavaşsa, ayarı olan yerde timeout değerini artırın.',
  net_no_way: '{name}: ulaşılamadı{detail}.\nAğı ve güvenlik duvarını denetleyin.',
  net_other: '{name}: ulaşılamadı{detail}.\nAdresi ({setting}) ve ağı denetleyin.',
  cert_expired:
    '{name}: sertifikasının süresi dolmuş{detail}.\nYöneticisinden yenilemesini isteyin. Başkaları bağlanabiliyorsa bu makinenin saatini ayarlayın.',
  cert_early:
    '{name}: sertifikası henüz geçerli değil{detail}.\nBu makinenin saatini ayarlayın (NTP); saat doğruysa yöneticisine bildirin.',
  cert_name:
    '{name}: sertifikası başka bir ad için{detail}.\nSertifikadaki bir adı kullanın ({setting}) veya yöneticisinden eksik adı eklemesini isteyin.',
  cert_self_signed:
    '{name}: sertifikası kendinden imzalı{detail}.\nYöneticisinden bilinen bir kurumun sertifikasını kullanmasını isteyin veya {trust} ayarına bu sertifikanın dosyasını yazın.',
  cert_authority:
    '{name}: sertifikası bilinmeyen bir kurumdan{detail}.\nKurum sizinse ya da TLS’i inceleyen bir güvenlik duvarınınsa {trust} ayarına sertifikasının dosyasını yazın.',
  cert_chain:
    '{name} ara sertifikasını göndermiyor{detail}.\nYöneticisinden tüm zinciri kurmasını isteyin; tarayıcılar onsuz da çalışır. Kurum sizinse {trust} ayarına sertifikasının dosyasını yazın.',
  cert_revoked: '{name}: sertifikası iptal edilmiş{detail}.\nYöneticisinden değiştirmesini isteyin.',
  cert_weak:
    '{name}: sertifikasının anahtarı veya imzası çok zayıf{detail}.\nYöneticisinden değiştirmesini isteyin: en az 2048 bit ve SHA-256 gerekir.',
  tls_client:
    '{name} istemci sertifikası istiyor, bizde ise yok{detail}.\nYöneticisinden bu istemciyi sertifikasız kabul etmesini isteyin.',
  tls_old:
    '{name} yalnızca eski bir TLS sürümünü destekliyor{detail}.\nYöneticisinden TLS 1.2 veya 1.3’ü açmasını isteyin.',
  tls_no_name:
    '{name}: bu ad için sertifikası yok{detail}.\nSunucu adını ({setting}) denetleyin; doğruysa yöneticisine bildirin.',
  tls_ciphers:
    '{name}: bizimle ortak bir şifrelemesi yok veya istemci sertifikası istiyor{detail}.\nYöneticisinden TLS 1.2 veya 1.3’ü yaygın şifrelemelerle açmasını isteyin.',
  tls_none:
    '{name} orada TLS kullanmıyor{detail}.\nhttp mi https mi olduğunu ve bağlantı noktasını ({setting}) denetleyin.',
  tls_other:
    '{name}: bizimle güvenli bir bağlantı kuramadı{detail}.\nYöneticisine bildirin: nedeni oradaki günlükte yazar.',
  http_over_tls:
    '{name} orada TLS kullanıyor{detail}.\nhttps yazın veya bağlantı noktasını ({setting}) denetleyin.',
  http_none:
    '{name} orada HTTP kullanmıyor{detail}.\nBağlantı noktasını ({setting}) ve orada neyin dinlediğini denetleyin.',
  http_lines:
    '{name} HTTP kurallarını bozuyor: satırları yalnızca LF ile bitiyor{detail}.\nYöneticisine bildirin: o sunucu veya önündeki vekil düzeltilmelidir.',
  http_length:
    '{name} HTTP kurallarını bozuyor: yanıtın uzunluğu iki kez yazılmış{detail}.\nYöneticisine bildirin: o sunucu veya önündeki vekil düzeltilmelidir.',
  http_header:
    '{name} HTTP kurallarını bozuyor: bir başlıkta izin verilmeyen karakter var{detail}.\nYöneticisine bildirin: o sunucu veya önündeki vekil düzeltilmelidir.',
  http_headers:
    '{name} okunandan fazla başlık gönderiyor{detail}.\nYöneticisine bildirin: en çok 16 kB başlık olabilir.',
  http_broken:
    '{name} HTTP kurallarını bozuyor{detail}.\nYöneticisine bildirin: o sunucu veya önündeki vekil düzeltilmelidir.',
};
