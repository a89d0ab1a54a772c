import type { networkTexts as english } from '../../platform/network-texts.ts';
import type { Translated } from '../catalogue.ts';

export const network: Translated<typeof english> = {
  net_private:
    '{name} heeft alleen privé- of lokale adressen, en die worden geweigerd{detail}.\nHoort de ontvanger daar te staan, zet zijn netwerk dan in allow_networks.',
  net_proxy:
    '{name} was niet bereikbaar via de uitgaande proxy{detail}.\nControleer HTTPS_PROXY of HTTP_PROXY: adres, gebruiker, wachtwoord en of de proxy deze host doorlaat; of noem de host in NO_PROXY.',
  net_no_host: '{name} is niet gevonden{detail}.\nControleer de hostnaam ({setting}) en de DNS.',
  net_dns: '{name} kon niet worden opgezocht{detail}.\nDe DNS antwoordde niet; controleer het netwerk.',
  net_refused:
    '{name} weigerde de verbinding{detail}.\nControleer of het draait, en het adres en de poort ({setting}).',
  net_reset:
    '{name} verbrak de verbinding{detail}.\nKijk in het logboek daar en in dat van een proxy ertussen.',
  net_no_connection:
    'Met {name} kwam niet op tijd een verbinding tot stand{detail}.\nControleer het adres en de poort ({setting}), het netwerk en de firewalls ertussen.',
  net_slow:
    '{name} antwoordde niet op tijd{detail}.\nBekijk de belasting en het logboek daar; is het alleen traag, verhoog dan timeout waar die instelling bestaat.',
  net_no_way: '{name} was niet bereikbaar{detail}.\nControleer het netwerk en de firewall.',
  net_other: '{name} was niet bereikbaar{detail}.\nControleer het adres ({setting}) en het netwerk.',
  cert_expired:
    '{name} heeft een verlopen certificaat{detail}.\nVraag de beheerder het te vernieuwen. Lukt verbinden anderen wel, zet dan de klok van deze machine gelijk.',
  cert_early:
    '{name} heeft een certificaat dat nog niet geldig is{detail}.\nZet de klok van deze machine gelijk (NTP); loopt die goed, meld het dan aan de beheerder.',
  cert_name:
    '{name} heeft een certificaat voor een andere naam{detail}.\nGebruik een naam uit het certificaat ({setting}), of vraag de beheerder de ontbrekende toe te voegen.',
  cert_self_signed:
    '{name} heeft een zelfondertekend certificaat{detail}.\nVraag de beheerder om een certificaat van een bekende autoriteit, of zet {trust} op het bestand met dit certificaat.',
  cert_authority:
    '{name} heeft een certificaat van een onbekende autoriteit{detail}.\nIs het uw eigen autoriteit, of die van een firewall die TLS controleert, zet dan {trust} op het bestand met haar certificaat.',
  cert_chain:
    '{name} stuurt zijn tussencertificaat niet mee{detail}.\nVraag de beheerder de volledige keten te installeren; browsers kunnen zonder. Is de autoriteit van uzelf, zet dan {trust} op het bestand met haar certificaat.',
  cert_revoked: '{name} heeft een ingetrokken certificaat{detail}.\nVraag de beheerder het te vervangen.',
  cert_weak:
    '{name} heeft een certificaat met een te zwakke sleutel of handtekening{detail}.\nVraag de beheerder het te vervangen: 2048 bits en SHA-256 zijn het minimum.',
  tls_client:
    '{name} vraagt om een clientcertificaat, en dat hebben we niet{detail}.\nVraag de beheerder deze client zonder toe te laten.',
  tls_old:
    '{name} spreekt alleen een verouderde versie van TLS{detail}.\nVraag de beheerder TLS 1.2 of 1.3 in te schakelen.',
  tls_no_name:
    '{name} heeft geen certificaat voor deze naam{detail}.\nControleer de hostnaam ({setting}); klopt die, meld het dan aan de beheerder.',
  tls_ciphers:
    '{name} heeft geen versleuteling met ons gemeen, of vraagt om een clientcertificaat{detail}.\nVraag de beheerder TLS 1.2 of 1.3 met gangbare methoden in te schakelen.',
  tls_none: '{name} spreekt daar geen TLS{detail}.\nControleer http of https en de poort ({setting}).',
  tls_other:
    '{name} kon met ons geen veilige verbinding afspreken{detail}.\nMeld het aan de beheerder: het logboek daar noemt de oorzaak.',
  http_over_tls: '{name} spreekt daar TLS{detail}.\nSchrijf https, of controleer de poort ({setting}).',
  http_none: '{name} spreekt daar geen HTTP{detail}.\nControleer de poort ({setting}) en wat daar luistert.',
  http_lines:
    '{name} houdt zich niet aan HTTP: zijn regels eindigen alleen op LF{detail}.\nMeld het aan de beheerder: die server, of een proxy ervoor, moet worden verbeterd.',
  http_length:
    '{name} houdt zich niet aan HTTP: de lengte van het antwoord staat er twee keer{detail}.\nMeld het aan de beheerder: die server, of een proxy ervoor, moet worden verbeterd.',
  http_header:
    '{name} houdt zich niet aan HTTP: een header bevat een verboden teken{detail}.\nMeld het aan de beheerder: die server, of een proxy ervoor, moet worden verbeterd.',
  http_headers:
    '{name} stuurt meer headers dan er worden gelezen{detail}.\nMeld het aan de beheerder: 16 kB aan headers is het maximum.',
  http_broken:
    '{name} houdt zich niet aan HTTP{detail}.\nMeld het aan de beheerder: die server, of een proxy ervoor, moet worden verbeterd.',
};
