import type { networkTexts as english } from '../../platform/network-texts.ts';
import type { Translated } from '../catalogue.ts';

export const network: Translated<typeof english> = {
  net_private:
    '{name} ha solo indirizzi privati o locali, che vengono rifiutati{detail}.\nSe il destinatario deve essere lì, aggiungere la sua rete ad allow_networks.',
  net_proxy:
    '{name} non è raggiungibile tramite il proxy in uscita{detail}.\nControllare HTTPS_PROXY o HTTP_PROXY: indirizzo, utente, password e se il proxy lascia passare verso questo host; oppure indicare l’host in NO_PROXY.',
  net_no_host: '{name} non è stato trovato{detail}.\nControllare il nome host ({setting}) e il DNS.',
  net_dns: '{name} non si è potuto risolvere{detail}.\nIl DNS non ha risposto; controllare la rete.',
  net_refused:
    '{name} ha rifiutato la connessione{detail}.\nControllare che sia in funzione, e indirizzo e porta ({setting}).',
  net_reset:
    '{name} ha chiuso la connessione{detail}.\nGuardare nel suo registro e in quello di un eventuale proxy intermedio.',
  net_no_connection:
    'La connessione a {name} non si è stabilita in tempo{detail}.\nControllare indirizzo e porta ({setting}), la rete e i firewall intermedi.',
  net_slow:
    '{name} non ha risposto in tempo{detail}.\nGuardare il suo carico e il suo registro; se è solo lento, aumentare timeout dove esiste questa impostazione.',
  net_no_way: '{name} non è raggiungibile{detail}.\nControllare la rete e il firewall.',
  net_other: '{name} non è raggiungibile{detail}.\nControllare l’indirizzo ({setting}) e la rete.',
  cert_expired:
    '{name} ha un certificato scaduto{detail}.\nChiedere al gestore di rinnovarlo. Se altri riescono a connettersi, regolare l’orologio di questa macchina.',
  cert_early:
    '{name} ha un certificato non ancora valido{detail}.\nRegolare l’orologio di questa macchina (NTP); se è giusto, avvisare il gestore.',
  cert_name:
    '{name} ha un certificato per un altro nome{detail}.\nUsare un nome del certificato ({setting}), o chiedere al gestore di aggiungere quello mancante.',
  cert_self_signed:
    '{name} ha un certificato autofirmato{detail}.\nChiedere al gestore di usarne uno di un’autorità nota, o indicare in {trust} il file di questo certificato.',
  cert_authority:
    '{name} ha un certificato di un’autorità sconosciuta{detail}.\nSe l’autorità è la vostra, o quella di un firewall che ispeziona TLS, indicare in {trust} il file del suo certificato.',
  cert_chain:
    '{name} non invia il suo certificato intermedio{detail}.\nChiedere al gestore di installare la catena completa; i browser ne fanno a meno. Se l’autorità è la vostra, indicare in {trust} il file del suo certificato.',
  cert_revoked: '{name} ha un certificato revocato{detail}.\nChiedere al gestore di sostituirlo.',
  cert_weak:
    '{name} ha un certificato con una chiave o una firma troppo debole{detail}.\nChiedere al gestore di sostituirlo: 2048 bit e SHA-256 sono il minimo.',
  tls_client:
    '{name} chiede un certificato client, e non ne abbiamo{detail}.\nChiedere al gestore di ammettere questo client senza.',
  tls_old:
    '{name} parla solo una versione superata di TLS{detail}.\nChiedere al gestore di attivare TLS 1.2 o 1.3.',
  tls_no_name:
    '{name} non ha un certificato per questo nome{detail}.\nControllare il nome host ({setting}); se è giusto, avvisare il gestore.',
  tls_ciphers:
    '{name} non ha una cifratura in comune con noi, o chiede un certificato client{detail}.\nChiedere al gestore di attivare TLS 1.2 o 1.3 con le cifrature usuali.',
  tls_none: '{name} lì non parla TLS{detail}.\nControllare http o https, e la porta ({setting}).',
  tls_other:
    '{name} non ha potuto concordare una connessione sicura con noi{detail}.\nAvvisare il gestore: il suo registro indica la causa.',
  http_over_tls: '{name} lì parla TLS{detail}.\nScrivere https, o controllare la porta ({setting}).',
  http_none: '{name} lì non parla HTTP{detail}.\nControllare la porta ({setting}) e che cosa vi ascolta.',
  http_lines:
    '{name} viola HTTP: le sue righe finiscono con il solo LF{detail}.\nAvvisare il gestore: quel server, o un proxy davanti, va corretto.',
  http_length:
    '{name} viola HTTP: indica due volte la lunghezza della risposta{detail}.\nAvvisare il gestore: quel server, o un proxy davanti, va corretto.',
  http_header:
    '{name} viola HTTP: un’intestazione contiene un carattere non ammesso{detail}.\nAvvisare il gestore: quel server, o un proxy davanti, va corretto.',
  http_headers:
    '{name} invia più intestazioni di quante se ne leggano{detail}.\nAvvisare il gestore: 16 kB di intestazioni sono il massimo.',
  http_broken:
    '{name} viola HTTP{detail}.\nAvvisare il gestore: quel server, o un proxy davanti, va corretto.',
};
