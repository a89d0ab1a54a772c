import type { targetTexts as english } from '../../domain/target-texts.ts';
import type { Translated } from '../catalogue.ts';

export const targets: Translated<typeof english> = {
  target_answered: '{host} ha risposto {answer}.\n{remedy}',
  target_unproven:
    '{host} ha risposto {answer}, ma non come {service}: nessuno è stato avvisato.\nLì risponde qualcos’altro, come la pagina di accesso di un proxy. Controllare indirizzo e rete.',
  heartbeat_unproven:
    '{host} ha risposto {answer}, che non è la conferma di un monitor.\nControllare l’indirizzo: copiarlo di nuovo dal monitor.',
  target_unsure:
    '{host} ha preso il messaggio e non ha risposto.\nControllare se è arrivato; viene inviato di nuovo, come ripetizione.',
  target_plain:
    '{host} non ha accettato un messaggio ({answer}), ma in forma semplice sì.\nIl messaggio conteneva solo il riferimento; il resto è sulla pagina.',
  target_content:
    '{host} non ha accettato un messaggio ({answer}), neppure in forma semplice.\nIl contenuto viene inviato di nuovo più tardi. Controllare per quale tipo di destinazione è l’indirizzo.',
  target_busy: 'La destinazione riceve troppi messaggi. Temporaneo: questo viene inviato di nuovo da solo.',
  target_broken:
    'La destinazione stessa ha un problema. Temporaneo: il messaggio viene inviato di nuovo da solo.',
  target_redirect: 'I reindirizzamenti non vengono seguiti: inserire l’indirizzo a cui rimanda.',
  target_denied: 'Controllare il token o il segreto, e che lì si possa scrivere.',
  target_not_there: 'L’indirizzo non esiste o è stato revocato. Copiarlo di nuovo o crearne uno nuovo.',
  target_refuses: 'Controllare per quale tipo di destinazione è l’indirizzo.',
  slack_archived: 'Il canale è archiviato: ripristinarlo o creare un webhook per un altro canale.',
  slack_gone: 'Il webhook è stato rimosso: crearne uno nuovo in Slack e copiarne l’indirizzo.',
  slack_forbidden: 'L’area di lavoro non lo permette: chiedere al suo amministratore.',
  slack_channel: 'Il canale è stato eliminato: creare un webhook per un altro.',
  telegram_chat:
    'Controllare `chat`: aggiungere il bot al gruppo, o far scrivere una volta la persona al bot.',
  telegram_out: 'Il bot è stato bloccato o rimosso: sbloccarlo o aggiungerlo di nuovo.',
  telegram_rights: 'Permettere al bot di scrivere in questa chat: in un canale deve essere amministratore.',
  telegram_token: 'Il token è sbagliato o revocato: chiederlo di nuovo a @BotFather.',
  telegram_topic: 'L’argomento è chiuso o eliminato: correggere `thread` o riaprire l’argomento.',
  telegram_moved:
    'Il gruppo è diventato un supergruppo; viene usato il suo nuovo numero {answer}.\nMettere il nuovo numero in `chat`.',
  teams_off: 'Il flusso è disattivato o eliminato: attivarlo in Power Automate.',
  ntfy_quota:
    'Il limite giornaliero di questo argomento o indirizzo è esaurito: aspettare, o usare un account più grande o un server proprio.',
  mail_refused:
    '{host} ha rifiutato la mail a {step} ({answer}).\nControllare from e to, e che questo server possa inviare per voi.',
  mail_later: '{host} ha rimandato la mail a {step} ({answer}).\nTemporaneo: viene inviata di nuovo da sola.',
  mail_closed:
    '{host} ha chiuso la connessione a {step}.\nTemporaneo: la mail viene inviata di nuovo da sola.',
  mail_silent:
    '{host} non ha risposto a {step}.\nLa mail viene inviata di nuovo da sola. Se resta così, controllare porta e cifratura: 465 è smtps://, 587 è smtp://.',
  mail_no_smtp: '{host} lì non parla SMTP.\nControllare host e porta: 465 è smtps://, 587 è smtp://.',
  mail_sign_in: '{host} ha rifiutato l’accesso ({answer}).\nControllare utente e password.',
  mail_token:
    '{host} non ha dato un token di accesso ({answer}).\nAccedere di nuovo e inserire il nuovo refresh token; controllare client_id e client_secret.',
  mail_basic_off:
    '{host} non accetta più password dai programmi ({answer}).\nUsare `oauth` (docs/notifications.md), o far permettere SMTP AUTH per questa casella da un amministratore.',
  mail_app_password:
    '{host} chiede una password per le app ({answer}).\nCrearne una nell’account Google (Sicurezza, Verifica in due passaggi, Password per le app) e usarla come password.',
  mail_sign_in_needed: '{host} chiede l’accesso ({answer}).\nImpostare user e password.',
  mail_relay:
    '{host} non inoltra la nostra mail ad altri ({answer}).\nImpostare user e password, o permettere lì l’inoltro per questa macchina.',
  mail_sender:
    '{host} non accetta il mittente ({answer}).\nMettere in from un indirizzo che questo account può usare.',
  mail_hello:
    '{host} non accetta il nome con cui salutiamo ({answer}).\nMettere in `hello` un nome host che accetta.',
  mail_blocked:
    '{host} non accetta mail dal nostro indirizzo Internet ({answer}).\nInviare tramite il server del proprio fornitore, con user e password.',
  mail_limit:
    'Su {host} è raggiunto un limite di questo account ({answer}).\nLa mail viene inviata di nuovo da sola. Se resta così, chiedere al fornitore un limite più alto.',
  mail_no_tls:
    '{host} non offre cifratura, e senza di essa la password non viene mai inviata.\nUsare smtps:// o un’altra porta.',
  mail_tls:
    '{host} non è riuscito a passare alla cifratura.\nControllare il suo certificato o indicare `ca_file`.',
  mail_recipient: 'Il destinatario {n} di {all} è rifiutato ({answer}).\nCorreggere l’indirizzo sotto to.',
  mail_recipient_full:
    'La casella del destinatario {n} di {all} è piena ({answer}).\nIl proprietario deve fare spazio; la prossima mail viene tentata di nuovo.',
  mail_recipient_later:
    'Il destinatario {n} di {all} è rimandato ({answer}).\nTemporaneo: la mail gli viene inviata di nuovo da sola.',
  mail_open:
    '{host} accetta mail non cifrata: altri possono leggerla lungo il percorso.\nImpostare `tls: required`, o accedere con user.',
  target_told: 'l’ultimo messaggio è arrivato il {day}',
  target_idle:
    'dal {day} non c’era nulla da inviare, quindi nulla mostra che funzioni ancora\nProvare: clinic-sync notify test {name}.',
  target_never: 'non è ancora arrivato alcun messaggio\nProvare: clinic-sync notify test {name}.',
  target_owed: 'in sospeso dal {since}, non ancora comunicato: {number}',
};
