import type { checkTexts as english } from '../../domain/check-texts.ts';
import type { Translated } from '../catalogue.ts';

export const checks: Translated<typeof english> = {
  check_files: 'file: in {place} si può scrivere',
  check_files_later: 'file: {place} non esiste ancora e verrà creata',
  check_inbox: 'in entrata: in {place} si può scrivere',
  check_inbox_later: 'in entrata: {place} non esiste ancora e verrà creata',
  check_free: '{size} liberi per {place}',
  check_free_little: '{size} liberi per {place}\nLiberi spazio su quel disco.',
  check_xlsx: 'XLSX: numeri, date e zeri iniziali arrivano come sono',
  check_data: 'profilo data: valori esatti, per programmi',
  check_excel:
    'profilo excel: sicuro da aprire, ma un foglio di calcolo toglie gli zeri iniziali (017…); `format: xlsx` li conserva',
  check_inbox_clinic:
    'in entrata: gli studi sono più d’uno e inbox_clinic non è impostato\nImposti inbox_clinic, o dia a ogni file una colonna clinic.',
  check_key: 'chiave: di {address} (l’indirizzo con cui condividere il foglio)',
  check_key_open: 'chiave: altri utenti di questo computer possono leggere {file}\nEsegua: chmod 600 {file}',
  check_token: 'token: Google accetta la chiave',
  check_read: 'lettura: «{title}» si può leggere',
  check_write: 'scrittura: {address} può modificarlo',
  check_bin:
    'cestino: non si è potuto vedere se il foglio è nel cestino di Google Drive\nNella console di Google Cloud apra «APIs & Services», cerchi «Google Drive API» e prema «Enable».',
  check_keeper: 'tenuto da: questa installazione',
  check_keeper_none: 'tenuto da: ancora nessuno; lo annota la prima esecuzione',
  check_columns:
    'colonne: a {place} manca {columns}\nResta così. Per riaverle: clinic-sync connectors repair.',
  check_looks:
    'formati: a {columns} di {place} manca il formato o l’avviso di una scheda nuova; si possono perdere zeri o sovrascrivere risposte\nPer impostarli: clinic-sync connectors repair.',
  check_protection:
    'protezione: un intervallo di {place} ci è chiuso\nIn «Dati», «Proteggi fogli e intervalli», permetta all’indirizzo qui sopra di modificarlo.',
  check_copies:
    'schede: {tabs} è la copia di una scheda di clinic-sync e non viene aggiornata\nLa conservi come traccia, o la elimini.',
  check_tabs: 'schede: {tabs}',
  check_tabs_later: 'schede: {tabs}; create alla prima esecuzione: {missing}',
  check_month_first:
    'Il foglio di calcolo ({locale}) legge 05/01/2027 come 1º maggio, ma a {zone} si intende il 5 gennaio.\nLo cambi in File, Impostazioni, Impostazioni internazionali, o scelga i giorni dal calendario; Message riporta ogni giorno in lettere.',
  check_locale: 'impostazioni locali {locale}, fuso orario {zone}',
  check_reachable: '{host} risponde',
  check_certificate: '{host} risponde e ha un certificato valido',
  check_unencrypted: 'I dati dei pazienti escono non cifrati\nUsi https, o tolga patient da include.',
  check_short_secret:
    'Il segreto è più corto di 24 byte\nNe crei uno con `openssl rand -base64 24` e ci metta davanti whsec_.',
  check_form: 'il modulo di prenotazione è in {path}; si può inviare da lì',
  check_form_sites: 'il modulo di prenotazione è in {path}; si può inviare da lì e dai moduli di {sites}',
  check_no_submission: 'non è ancora arrivata alcuna richiesta',
};
