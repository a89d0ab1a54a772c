import type { targetTexts as english } from '../../domain/target-texts.ts';
import type { Translated } from '../catalogue.ts';

export const targets: Translated<typeof english> = {
  target_answered: '{host}, {answer} yanıtını verdi.\n{remedy}',
  target_unproven:
    '{host}, {answer} yanıtını verdi, ama {service} böyle yanıt vermez: kimseye haber verilmedi.\nOrada başka bir şey yanıt veriyor, örneğin bir vekil sunucunun giriş sayfası. Adresi ve ağı denetleyin.',
  heartbeat_unproven:
    '{host}, {answer} yanıtını verdi; bu bir izleyicinin onayı değil.\nAdresi denetleyin: izleyiciden yeniden kopyalayın.',
  target_unsure:
    '{host} iletiyi aldı ve yanıt vermedi.\nOraya ulaşıp ulaşmadığına bakın; yineleme olarak bir daha gönderilir.',
  target_plain:
    '{host} bir iletiyi kabul etmedi ({answer}), yalın biçimini kabul etti.\nİletide yalnızca başvuru numarası vardı; gerisi sayfada.',
  target_content:
    '{host} bir iletiyi yalın biçimde bile kabul etmedi ({answer}).\nİçeriği daha sonra yeniden gönderilir. Adresin hangi tür hedef için olduğunu denetleyin.',
  target_busy: 'Hedef çok fazla ileti alıyor. Geçici: bu ileti kendiliğinden yeniden gönderilir.',
  target_broken: 'Hedefin kendisinde sorun var. Geçici: ileti kendiliğinden yeniden gönderilir.',
  target_redirect: 'Yönlendirmeler izlenmez: yönlendirdiği adresi yazın.',
  target_denied: 'Jetonu ya da gizli anahtarı ve orada yazma iznini denetleyin.',
  target_not_there: 'Adres yok ya da geri alınmış. Yeniden kopyalayın ya da yenisini oluşturun.',
  target_refuses: 'Adresin hangi tür hedef için olduğunu denetleyin.',
  slack_archived: 'Kanal arşivlenmiş: geri getirin ya da başka bir kanal için webhook oluşturun.',
  slack_gone: 'Webhook kaldırılmış: Slack’te yenisini oluşturup adresini kopyalayın.',
  slack_forbidden: 'Çalışma alanı buna izin vermiyor: yöneticisine sorun.',
  slack_channel: 'Kanal silinmiş: başka bir kanal için webhook oluşturun.',
  telegram_chat: '`chat` değerini denetleyin: botu gruba ekleyin ya da kişi bota bir kez yazsın.',
  telegram_out: 'Bot engellenmiş ya da çıkarılmış: engeli kaldırın ya da yeniden ekleyin.',
  telegram_rights: 'Botun bu sohbette yazmasına izin verin: kanalda yönetici olmalıdır.',
  telegram_token: 'Jeton yanlış ya da geri alınmış: @BotFather’dan yeniden alın.',
  telegram_topic: 'Konu kapatılmış ya da silinmiş: `thread` değerini düzeltin ya da konuyu yeniden açın.',
  telegram_moved:
    'Grup süper grup oldu; yeni numarası {answer} kullanılıyor.\n`chat` değerini yeni numara yapın.',
  teams_off: 'İş akışı kapalı ya da silinmiş: Power Automate’te açın.',
  ntfy_quota:
    'Bu konunun ya da adresin günlük sınırı doldu: bekleyin, daha büyük bir hesap ya da kendi sunucunuzu kullanın.',
  mail_refused:
    '{host} postayı {step} adımında reddetti ({answer}).\nfrom ve to değerlerini ve bu sunucunun sizin adınıza gönderebildiğini denetleyin.',
  mail_later:
    '{host} postayı {step} adımında erteledi ({answer}).\nGeçici: kendiliğinden yeniden gönderilir.',
  mail_closed: '{host} bağlantıyı {step} adımında kapattı.\nGeçici: posta kendiliğinden yeniden gönderilir.',
  mail_silent:
    '{host}, {step} adımında yanıt vermedi.\nPosta kendiliğinden yeniden gönderilir. Sürerse bağlantı noktasını ve şifrelemeyi denetleyin: 465 smtps://, 587 smtp:// içindir.',
  mail_no_smtp:
    '{host} orada SMTP konuşmuyor.\nSunucuyu ve bağlantı noktasını denetleyin: 465 smtps://, 587 smtp:// içindir.',
  mail_sign_in: '{host} girişi reddetti ({answer}).\nKullanıcıyı ve parolayı denetleyin.',
  mail_token:
    '{host} giriş için jeton vermedi ({answer}).\nYeniden giriş yapıp yeni yenileme jetonunu koyun; client_id ve client_secret değerlerini denetleyin.',
  mail_basic_off:
    '{host} artık programların parolayla girmesine izin vermiyor ({answer}).\n`oauth` kullanın (docs/notifications.md) ya da bir yönetici bu posta kutusu için SMTP AUTH’a izin versin.',
  mail_app_password:
    '{host} bir uygulama şifresi istiyor ({answer}).\nGoogle hesabında (Güvenlik, 2 Adımlı Doğrulama, Uygulama şifreleri) oluşturup parola olarak kullanın.',
  mail_sign_in_needed: '{host} giriş istiyor ({answer}).\nuser ve password değerlerini yazın.',
  mail_relay:
    '{host} postamızı başkalarına iletmiyor ({answer}).\nuser ve password yazın ya da orada bu makine için iletmeye izin verin.',
  mail_sender:
    '{host} göndereni kabul etmiyor ({answer}).\nfrom değerini bu hesabın kullanabildiği bir adres yapın.',
  mail_hello:
    '{host} selamlarken kullandığımız adı kabul etmiyor ({answer}).\n`hello` değerini kabul ettiği bir makine adı yapın.',
  mail_blocked:
    '{host} İnternet adresimizden posta almıyor ({answer}).\nSağlayıcınızın posta sunucusu üzerinden, user ve password ile gönderin.',
  mail_limit:
    '{host} üzerinde bu hesabın bir sınırına ulaşıldı ({answer}).\nPosta kendiliğinden yeniden gönderilir. Sürerse sağlayıcıdan daha yüksek bir sınır isteyin.',
  mail_no_tls:
    '{host} şifreleme sunmuyor; parola şifresiz asla gönderilmez.\nsmtps:// ya da başka bir bağlantı noktası kullanın.',
  mail_tls: '{host} şifrelemeye geçemedi.\nSertifikasını denetleyin ya da `ca_file` verin.',
  mail_recipient: 'Alıcı {n}/{all} reddedildi ({answer}).\nto altındaki adresi düzeltin.',
  mail_recipient_full:
    'Alıcı {n}/{all} için posta kutusu dolu ({answer}).\nSahibi yer açmalı; sonraki posta yeniden denenir.',
  mail_recipient_later:
    'Alıcı {n}/{all} ertelendi ({answer}).\nGeçici: posta ona kendiliğinden yeniden gönderilir.',
  mail_open:
    '{host} postayı şifresiz alıyor: yolda başkaları okuyabilir.\n`tls: required` yazın ya da user ile giriş yapın.',
  target_told: 'son ileti {day} günü ulaştı',
  target_idle:
    '{day} gününden beri gönderilecek bir şey olmadı; hâlâ çalıştığını gösteren bir şey yok\nDeneyin: clinic-sync notify test {name}.',
  target_never: 'henüz hiçbir ileti ulaşmadı\nDeneyin: clinic-sync notify test {name}.',
  target_owed: '{since} tarihinden beri bekleyen, henüz bildirilmeyen: {number}',
};
