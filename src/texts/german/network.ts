import type { networkTexts as english } from '../../platform/network-texts.ts';
import type { Translated } from '../catalogue.ts';

export const network: Translated<typeof english> = {
  net_private:
    '{name} hat nur private oder lokale Adressen, und solche sind gesperrt{detail}.\nSoll der Empfänger dort sein, tragen Sie sein Netz unter allow_networks ein.',
  net_proxy:
    '{name} war über den ausgehenden Proxy nicht erreichbar{detail}.\nPrüfen Sie HTTPS_PROXY oder HTTP_PROXY: Adresse, Benutzer, Passwort und ob der Proxy diesen Host durchlässt; oder nennen Sie den Host in NO_PROXY.',
  net_no_host: '{name} wurde nicht gefunden{detail}.\nPrüfen Sie den Hostnamen ({setting}) und das DNS.',
  net_dns: '{name} ließ sich nicht auflösen{detail}.\nDas DNS hat nicht geantwortet; prüfen Sie das Netz.',
  net_refused:
    '{name} hat die Verbindung abgelehnt{detail}.\nPrüfen Sie, ob es läuft, sowie Adresse und Port ({setting}).',
  net_reset:
    '{name} hat die Verbindung beendet{detail}.\nSehen Sie in sein Protokoll und in das eines Proxys dazwischen.',
  net_no_connection:
    'Zu {name} kam rechtzeitig keine Verbindung zustande{detail}.\nPrüfen Sie Adresse und Port ({setting}), das Netz und die Firewalls dazwischen.',
  net_slow:
    '{name} hat nicht rechtzeitig geantwortet{detail}.\nSehen Sie nach seiner Last und in sein Protokoll; ist es nur langsam, erhöhen Sie timeout, wo es diese Einstellung gibt.',
  net_no_way: '{name} war nicht erreichbar{detail}.\nPrüfen Sie das Netz und die Firewall.',
  net_other: '{name} war nicht erreichbar{detail}.\nPrüfen Sie die Adresse ({setting}) und das Netz.',
  cert_expired:
    '{name} hat ein abgelaufenes Zertifikat{detail}.\nBitten Sie den Betreiber, es zu erneuern. Können andere sich verbinden, stellen Sie die Uhr dieses Rechners.',
  cert_early:
    '{name} hat ein Zertifikat, das noch nicht gilt{detail}.\nStellen Sie die Uhr dieses Rechners (NTP); geht sie richtig, wenden Sie sich an den Betreiber.',
  cert_name:
    '{name} hat ein Zertifikat für einen anderen Namen{detail}.\nVerwenden Sie einen Namen aus dem Zertifikat ({setting}), oder bitten Sie den Betreiber, den fehlenden aufzunehmen.',
  cert_self_signed:
    '{name} hat ein selbst signiertes Zertifikat{detail}.\nBitten Sie den Betreiber um eines von einer bekannten Zertifizierungsstelle, oder setzen Sie {trust} auf die Datei mit dem Zertifikat.',
  cert_authority:
    '{name} hat ein Zertifikat einer unbekannten Zertifizierungsstelle{detail}.\nIst es Ihre eigene oder die einer Firewall, die TLS prüft, setzen Sie {trust} auf die Datei mit ihrem Zertifikat.',
  cert_chain:
    '{name} sendet sein Zwischenzertifikat nicht{detail}.\nBitten Sie den Betreiber, die ganze Kette zu installieren; Browser kommen ohne aus. Ist die Zertifizierungsstelle Ihre eigene, setzen Sie {trust} auf die Datei mit ihrem Zertifikat.',
  cert_revoked: '{name} hat ein gesperrtes Zertifikat{detail}.\nBitten Sie den Betreiber, es zu ersetzen.',
  cert_weak:
    '{name} hat ein Zertifikat mit zu schwachem Schlüssel oder zu schwacher Signatur{detail}.\nBitten Sie den Betreiber, es zu ersetzen: Mindestens 2048 Bit und SHA-256 sind nötig.',
  tls_client:
    '{name} verlangt ein Client-Zertifikat, und wir haben keines{detail}.\nBitten Sie den Betreiber, diesen Client ohne einzulassen.',
  tls_old:
    '{name} spricht nur eine veraltete Version von TLS{detail}.\nBitten Sie den Betreiber, TLS 1.2 oder 1.3 einzuschalten.',
  tls_no_name:
    '{name} hat kein Zertifikat für diesen Namen{detail}.\nPrüfen Sie den Hostnamen ({setting}); stimmt er, wenden Sie sich an den Betreiber.',
  tls_ciphers:
    '{name} hat keine Verschlüsselung mit uns gemeinsam oder verlangt ein Client-Zertifikat{detail}.\nBitten Sie den Betreiber, TLS 1.2 oder 1.3 mit üblichen Verfahren einzuschalten.',
  tls_none: '{name} spricht dort kein TLS{detail}.\nPrüfen Sie http oder https und den Port ({setting}).',
  tls_other:
    '{name} konnte keine sichere Verbindung mit uns aushandeln{detail}.\nWenden Sie sich an den Betreiber: Sein Protokoll nennt die Ursache.',
  http_over_tls:
    '{name} spricht dort TLS{detail}.\nSchreiben Sie https, oder prüfen Sie den Port ({setting}).',
  http_none: '{name} spricht dort kein HTTP{detail}.\nPrüfen Sie den Port ({setting}) und was dort läuft.',
  http_lines:
    '{name} verletzt HTTP: Seine Zeilen enden nur mit LF{detail}.\nWenden Sie sich an den Betreiber: Dieser Server oder ein Proxy davor muss berichtigt werden.',
  http_length:
    '{name} verletzt HTTP: Die Länge der Antwort ist doppelt angegeben{detail}.\nWenden Sie sich an den Betreiber: Dieser Server oder ein Proxy davor muss berichtigt werden.',
  http_header:
    '{name} verletzt HTTP: Ein Header enthält ein unzulässiges Zeichen{detail}.\nWenden Sie sich an den Betreiber: Dieser Server oder ein Proxy davor muss berichtigt werden.',
  http_headers:
    '{name} sendet mehr Header, als gelesen werden{detail}.\nWenden Sie sich an den Betreiber: Mehr als 16 kB Header sind nicht zulässig.',
  http_broken:
    '{name} verletzt HTTP{detail}.\nWenden Sie sich an den Betreiber: Dieser Server oder ein Proxy davor muss berichtigt werden.',
};
