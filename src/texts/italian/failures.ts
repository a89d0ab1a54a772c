import type { failureTexts as english } from '../../domain/failure-texts.ts';
import type { Translated } from '../catalogue.ts';

export const failures: Translated<typeof english> = {
  google_sign_in_ended:
    'Google non accetta più l’accesso: è stato revocato o è scaduto.\nAcceda di nuovo: clinic-sync connectors login. Finché l’app OAuth è in «Testing», Google chiude ogni accesso dopo sette giorni: la pubblichi o la imposti su «Internal».',
  google_client_unknown:
    'Google non conosce il client OAuth dell’accesso.\nScarichi di nuovo il JSON del client, poi: clinic-sync connectors login.',
  google_key_refused:
    'Google non accetta la chiave di {address}: la chiave o l’account è stato revocato o eliminato.\nCrei una nuova chiave per l’account di servizio (Keys, Add key, JSON) e sostituisca la vecchia.',
  google_clock:
    'Google non accetta il nostro accesso perché l’orologio di questo computer è sbagliato.\nRegoli l’orologio (NTP), poi riprovi.',
  google_account_disabled:
    'Google ha disattivato {address}.\nNella console di Google Cloud attivi l’account (IAM & Admin, Service accounts) o ne crei uno nuovo.',
  google_client_disabled:
    'Google ha disattivato {address}.\nNella console di Google Cloud controlli le credenziali del progetto o ne crei di nuove.',
  google_slow_down:
    'Google ci chiede di rallentare ({status}).\nNon c’è nulla da fare: riprende tra un minuto.',
  google_token_refused:
    'Google non ha accettato il nostro token.\nIl prossimo tentativo ne chiede uno nuovo.',
  google_reauth:
    'Google chiede a {address} di accedere di nuovo: l’organizzazione lo richiede a distanza di poche ore.\nAcceda: clinic-sync connectors login. Lo evita un account di servizio, o un’esenzione dell’app da parte dell’amministratore Google.',
  google_client_unauthorized:
    'Google non lascia accedere questo client come {address}: è stato eliminato, o è fatto per un altro tipo di accesso.\nCrei un client OAuth di tipo App desktop (o una chiave nuova), poi: clinic-sync connectors login.',
  google_project_suspended:
    'Google ha sospeso il progetto Cloud di {address}.\nLegga l’e-mail di Google al proprietario e faccia ricorso nella console Google Cloud, o usi un account di un altro progetto.',
  google_project_gone:
    'Il progetto Cloud di {address} è stato eliminato.\nLo ripristini entro 30 giorni nella console Google Cloud (IAM e amministrazione, Gestisci risorse), o crei un account in un altro progetto.',
  google_billing:
    'La fatturazione del progetto Cloud di {address} è disattivata, e Google la richiede.\nLa attivi nella console Google Cloud, o usi un account di un altro progetto.',
  google_address_blocked:
    'Google rifiuta le chiamate dall’indirizzo di rete di questo computer.\nCerchi restrizioni per indirizzo nel client e nei livelli di accesso dell’organizzazione, e consenta lì questo indirizzo.',
  google_other_reason:
    'Google lo ha negato a {address}: {reason}.\nCerchi questo motivo nella documentazione di Google, o chieda al Suo amministratore Google.',
  google_no_project:
    'Google non sa a quale dei Suoi progetti appartengono le nostre chiamate.\nEsegua: gcloud auth application-default set-quota-project PROJECT, con un progetto in cui l’API Google Sheets è attiva.',
  google_scope:
    'L’accesso di {address} non comprende i fogli di calcolo.\nAcceda per questi: clinic-sync connectors login, oppure {login}. Una macchina virtuale di Google richiede l’ambito {scope}.',
  google_api_off:
    'L’API Google Sheets è disattivata nel progetto dell’account di servizio.\nNella console di Google Cloud apra «APIs & Services», cerchi «Google Sheets API» e prema «Enable».',
  google_drive_full:
    'Il Google Drive del proprietario del foglio è pieno.\nFaccia spazio lì (anche in Gmail e Foto), o passi il foglio a chi ne ha.',
  google_policy:
    'Le regole della Sua organizzazione su Google lo vietano a {address}.\nChieda all’amministratore Google di permetterlo, o acceda come persona dell’organizzazione: clinic-sync connectors login.',
  google_read_only:
    '{address} può vedere il foglio di calcolo, ma non modificarlo.\nLo condivida con questo indirizzo come editor.',
  google_not_shared:
    'Il foglio di calcolo non è condiviso con {address}.\nLo condivida con questo indirizzo come editor.',
  google_no_spreadsheet:
    'Non esiste un foglio di calcolo con questo id: è scritto male o il foglio è stato eliminato.\nCopi il suo indirizzo dal browser in `spreadsheet`; guardi nel cestino di Google Drive.',
  google_typed_columns:
    'Google non accetta da noi elenchi a discesa e caselle dove qualcuno ha creato una tabella con colonne tipizzate.\nNulla va perso: i nomi si possono scrivere. Per riaverli, converta la tabella in dati non formattati.',
  google_protected:
    'Qualcosa nel foglio di calcolo è protetto da {address}.\nIn «Dati», «Proteggi fogli e intervalli», permetta a questo indirizzo di modificare; il resto intanto resta aggiornato.',
  google_full:
    'Il foglio di calcolo è pieno: Google consente dieci milioni di celle.\nElimini righe vuote, colonne o vecchie schede, o dia a clinic-sync un foglio tutto suo.',
  google_tab_gone: 'Una scheda è stata eliminata.\nViene creata di nuovo.',
  google_excel:
    'Il file è una cartella di lavoro Excel in Google Drive, non un foglio Google.\nLo apra e scelga «File», «Salva come Fogli Google»; poi usi l’indirizzo del nuovo file.',
  google_changed: 'Il foglio di calcolo è stato modificato nello stesso momento.\nViene riletto.',
  google_refused:
    'Google ha rifiutato la nostra richiesta ({words}).\nÈ un difetto del connettore; lo segnali con l’ora.',
  google_cell_refused:
    'Google rifiuta ciò che clinic-sync vi scrive{cell}: {words}.\nAnnulli l’ultima modifica fatta lì a mano (regola, tabella, unione, protezione); si riprova entro cinque minuti.',
  google_unreachable:
    'Google non è raggiungibile{code}.\nSe continua, controlli la rete e che il firewall permetta sheets.googleapis.com e oauth2.googleapis.com.',
  google_certificate:
    'Nessuna connessione sicura con Google{code}.\nLungo la strada qualcosa risponde al suo posto: esenti Google dall’ispezione nel firewall o nel proxy, o indichi in NODE_EXTRA_CA_CERTS il certificato della loro autorità di certificazione.',
  google_redirect:
    'Google ha risposto con un reindirizzamento ({status}), che non viene seguito.\nSe continua, forse risponde un proxy o un firewall al posto di Google.',
  google_web_page:
    'Al posto di Google ha risposto una pagina web ({status}).\nSe continua, lasci passare sheets.googleapis.com e oauth2.googleapis.com dal proxy, dal firewall o dal portale di accesso di questa rete.',
  google_odd_answer:
    'Ciò che ha risposto al posto di Google ({status}) non è quanto richiesto; non ne è stato usato nulla.\nSe continua, cerchi un proxy o un firewall che risponde al posto di Google.',
  google_status: 'Google ha risposto {status}.\nSi riprova.',
  sheet_of_another:
    'Il foglio di calcolo è tenuto da un’altra installazione di clinic-sync ({name}); non vi si scrive nulla e non se ne prende alcuna prenotazione.\nSe quella non è più in funzione (o ha perso il database), imposti `adopt: {name}` e riavvii.',
  folder_denied:
    'Manca il permesso di scrivere in {place}.\nLasci che l’utente {user} vi legga e scriva (proprietario o opzioni del volume), o scelga un’altra cartella.',
  folder_read_only:
    '{place} è su un file system di sola lettura.\nMonti il volume in scrittura, o scelga un’altra cartella.',
  folder_is_file:
    '{place} non può fare da cartella: al suo posto c’è un file.\nSposti quel file, o scelga un’altra cartella.',
  share_away:
    'La cartella di rete {place} non è montata, quindi lì non si scrive nulla.\nLa monti di nuovo. Se i file devono stare lì senza di essa, esegua clinic-sync connectors repair.',
  inbox_away:
    '{place} è vuota, anche se qui sono già stati presi dei file: probabilmente la cartella di rete non è montata.\nLa monti di nuovo. Se la cartella deve essere vuota, vi crei la cartella done.',
  disk_full: 'Non c’è più spazio per {place}.\nLiberi spazio su quel disco; poi la scrittura riprende.',
  write_failed:
    'La scrittura in {place} non è riuscita{code}.\nControlli il disco o la condivisione di rete.',
  file_in_use:
    'Non è stato possibile sostituire {place}{code}.\nLo chiuda dove è aperto, o lasci che clinic-sync lo sostituisca; gli altri file sono aggiornati.',
  receiver_rejects:
    'Il destinatario ha risposto {status}.\nGuardi nel suo registro: non accetta questo evento.',
  receiver_denies:
    'Il destinatario ha risposto {status}.\nControlli il segreto e le intestazioni da entrambe le parti.',
  receiver_clock:
    'Il destinatario ha risposto {status}, e l’orologio di questa macchina differisce dal suo di {minutes} min.\nRegoli l’orologio (NTP): una firma vale solo pochi minuti.',
  receiver_not_there: 'Il destinatario ha risposto {status}.\nControlli l’url: lì non ha nulla.',
  receiver_no_post: 'Il destinatario ha risposto {status}.\nControlli l’url: lì non accetta POST.',
  receiver_gone:
    'Il destinatario ha risposto {status}.\nNon vuole più eventi. Tolga il connettore, o lo riprenda se è un errore.',
  receiver_too_large:
    'Il destinatario ha risposto {status}.\nGli permetta contenuti più grandi, o imposti thin: true.',
  receiver_slow_down: 'Il destinatario ha risposto {status}.\nImposti rate su ciò che permette.',
  receiver_redirect:
    'Il destinatario ha risposto {status}.\nI reindirizzamenti non vengono seguiti: metta il nuovo indirizzo in url.',
  receiver_broken: 'Il destinatario ha risposto {status}.\nHa lui stesso un guasto; guardi nel suo registro.',
  receiver_web_page:
    'Il destinatario ha risposto {status} con una pagina web, cosa mai successa prima.\nVerifichi che l’url porti ancora al destinatario: forse il dominio è passato ad altri, o un portale risponde al suo posto.',
  receiver_status: 'Il destinatario ha risposto {status}.',
  paused_by: 'Messo in pausa da {who}.',
  paused_by_person: 'Messo in pausa da qualcuno.',
  paused_outage:
    'Per un giorno non si è potuto consegnare nulla ({detail}). Nulla è andato perso; si riprova ogni ora.',
};
