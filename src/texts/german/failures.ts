import type { failureTexts as english } from '../../domain/failure-texts.ts';
import type { Translated } from '../catalogue.ts';

export const failures: Translated<typeof english> = {
  google_sign_in_ended:
    'Google nimmt die Anmeldung nicht mehr an: Sie wurde widerrufen oder ist abgelaufen.\nMelden Sie sich neu an: clinic-sync connectors login. Solange die OAuth-App auf „Testing“ steht, endet jede Anmeldung nach sieben Tagen: Veröffentlichen Sie die App oder stellen Sie sie auf „Internal“.',
  google_client_unknown:
    'Google kennt den OAuth-Client der Anmeldung nicht.\nLaden Sie die JSON-Datei des Clients neu herunter, dann: clinic-sync connectors login.',
  google_key_refused:
    'Google nimmt den Schlüssel von {address} nicht an: Er oder das Konto wurde widerrufen oder gelöscht.\nErstellen Sie für das Dienstkonto einen neuen Schlüssel (Keys, Add key, JSON) und ersetzen Sie den alten.',
  google_clock:
    'Google nimmt unsere Anmeldung nicht an, weil die Uhr dieses Rechners falsch geht.\nStellen Sie die Uhr (NTP) und versuchen Sie es dann erneut.',
  google_account_disabled:
    'Google hat {address} deaktiviert.\nAktivieren Sie das Konto in der Google Cloud Console (IAM & Admin, Service accounts) oder legen Sie ein neues an.',
  google_client_disabled:
    'Google hat {address} deaktiviert.\nSehen Sie in der Google Cloud Console nach den Zugangsdaten des Projekts oder legen Sie neue an.',
  google_slow_down:
    'Google bittet uns, langsamer zu sein ({status}).\nEs ist nichts zu tun: In einer Minute geht es weiter.',
  google_token_refused: 'Google hat unser Token nicht angenommen.\nDer nächste Versuch holt ein neues.',
  google_reauth:
    'Google verlangt von {address} eine neue Anmeldung: Die Organisation schreibt sie alle paar Stunden vor.\nMelden Sie sich an: clinic-sync connectors login. Ein Dienstkonto erspart das, ebenso eine Ausnahme für die App durch den Google-Administrator.',
  google_client_unauthorized:
    'Google erlaubt diesem Client die Anmeldung als {address} nicht: Er ist gelöscht oder für eine andere Art der Anmeldung angelegt.\nLegen Sie einen OAuth-Client vom Typ Desktop-App (oder einen neuen Schlüssel) an, dann: clinic-sync connectors login.',
  google_project_suspended:
    'Google hat das Cloud-Projekt von {address} gesperrt.\nLesen Sie Googles E-Mail an den Eigentümer und legen Sie in der Google Cloud Console Einspruch ein, oder verwenden Sie ein Konto eines anderen Projekts.',
  google_project_gone:
    'Das Cloud-Projekt von {address} ist gelöscht.\nStellen Sie es binnen 30 Tagen in der Google Cloud Console wieder her (IAM & Verwaltung, Ressourcen verwalten), oder legen Sie in einem anderen Projekt ein Konto an.',
  google_billing:
    'Für das Cloud-Projekt von {address} ist die Abrechnung ausgeschaltet, und Google verlangt sie.\nSchalten Sie die Abrechnung in der Google Cloud Console ein, oder verwenden Sie ein Konto eines anderen Projekts.',
  google_address_blocked:
    'Google lehnt Aufrufe von der Netzadresse dieses Rechners ab.\nSehen Sie beim Client und in den Zugriffsebenen der Organisation nach Beschränkungen und erlauben Sie diese Adresse.',
  google_other_reason:
    'Google hat es {address} verweigert: {reason}.\nSuchen Sie diesen Grund in Googles Dokumentation, oder fragen Sie Ihren Google-Administrator.',
  google_no_project:
    'Google weiß nicht, zu welchem Ihrer Projekte unsere Aufrufe gehören.\nFühren Sie aus: gcloud auth application-default set-quota-project PROJECT, mit einem Projekt, in dem die Google Sheets API aktiviert ist.',
  google_scope:
    'Die Anmeldung von {address} gilt nicht für Tabellen.\nMelden Sie sich dafür an: clinic-sync connectors login oder {login}. Eine virtuelle Maschine von Google braucht den Zugriffsbereich {scope}.',
  google_api_off:
    'Im Projekt des Dienstkontos ist die Google Sheets API ausgeschaltet.\nÖffnen Sie in der Google Cloud Console „APIs & Services“, suchen Sie „Google Sheets API“ und klicken Sie auf „Enable“.',
  google_drive_full:
    'Das Google Drive des Eigentümers der Tabelle ist voll.\nSchaffen Sie dort Platz (auch in Gmail und Fotos) oder geben Sie die Tabelle jemandem, der Platz hat.',
  google_policy:
    'Die Regeln Ihrer Organisation bei Google verbieten das für {address}.\nBitten Sie Ihren Google-Administrator, es zu erlauben, oder melden Sie sich als Person der Organisation an: clinic-sync connectors login.',
  google_read_only:
    '{address} darf die Tabelle ansehen, aber nicht ändern.\nGeben Sie die Tabelle für diese Adresse mit der Rolle „Mitbearbeiter“ frei.',
  google_not_shared:
    'Die Tabelle ist für {address} nicht freigegeben.\nGeben Sie sie für diese Adresse mit der Rolle „Mitbearbeiter“ frei.',
  google_no_spreadsheet:
    'Es gibt keine Tabelle mit dieser ID: Sie ist vertippt, oder die Tabelle wurde gelöscht.\nKopieren Sie ihre Adresse aus dem Browser nach `spreadsheet`; sehen Sie im Papierkorb von Google Drive nach.',
  google_typed_columns:
    'Google nimmt von uns keine Auswahllisten und Kästchen an, wo jemand eine Tabelle mit festen Spaltentypen angelegt hat.\nEs geht nichts verloren: Namen lassen sich eintippen. Um sie zurückzubekommen, wandeln Sie diese Tabelle in unformatierte Daten um.',
  google_protected:
    'Etwas in der Tabelle ist vor {address} geschützt.\nErlauben Sie dieser Adresse unter „Daten“, „Blätter und Bereiche schützen“ das Bearbeiten; alles andere bleibt so lange aktuell.',
  google_full:
    'Die Tabelle ist voll: Google erlaubt zehn Millionen Zellen.\nLöschen Sie leere Zeilen, Spalten oder alte Blätter, oder geben Sie clinic-sync eine eigene Tabelle.',
  google_tab_gone: 'Ein Blatt wurde gelöscht.\nEs wird neu angelegt.',
  google_excel:
    'Die Datei ist eine Excel-Mappe in Google Drive, keine Google-Tabelle.\nÖffnen Sie sie, wählen Sie „Datei“, „Als Google-Tabelle speichern“, und verwenden Sie die Adresse der neuen Datei.',
  google_changed: 'Die Tabelle wurde im selben Moment geändert.\nSie wird noch einmal gelesen.',
  google_refused:
    'Google hat unsere Anfrage abgelehnt ({words}).\nDas ist ein Fehler der Anbindung; bitte melden Sie ihn mit der Uhrzeit.',
  google_cell_refused:
    'Google lehnt ab, was clinic-sync dort schreibt{cell}: {words}.\nMachen Sie rückgängig, was dort zuletzt von Hand geändert wurde (Regel, Tabelle, Verbund, Schutz); innerhalb von fünf Minuten wird es wieder versucht.',
  google_unreachable:
    'Google war nicht erreichbar{code}.\nBleibt es so, prüfen Sie das Netz und ob eine Firewall sheets.googleapis.com und oauth2.googleapis.com zulässt.',
  google_certificate:
    'Keine sichere Verbindung zu Google{code}.\nUnterwegs antwortet etwas an seiner Stelle: Google in der Firewall oder im Proxy von der Prüfung ausnehmen, oder NODE_EXTRA_CA_CERTS auf das Zertifikat von deren Zertifizierungsstelle setzen.',
  google_redirect:
    'Google hat mit einer Weiterleitung geantwortet ({status}); ihr wird nicht gefolgt.\nBleibt es so, antwortet vielleicht ein Proxy oder eine Firewall an Googles Stelle.',
  google_web_page:
    'Statt Google hat eine Webseite geantwortet ({status}).\nBleibt das so, lassen Sie sheets.googleapis.com und oauth2.googleapis.com durch den Proxy, die Firewall oder das Anmeldeportal dieses Netzes.',
  google_odd_answer:
    'Was statt Google geantwortet hat ({status}), ist nicht das, wonach gefragt wurde; nichts davon wurde verwendet.\nBleibt das so, suchen Sie nach einem Proxy oder einer Firewall, die anstelle von Google antwortet.',
  google_status: 'Google hat mit {status} geantwortet.\nEs wird noch einmal versucht.',
  sheet_of_another:
    'Die Tabelle gehört zu einer anderen Installation von clinic-sync ({name}); es wird nichts hineingeschrieben und keine Buchung daraus übernommen.\nLäuft jene nicht mehr (oder ging ihre Datenbank verloren), setzen Sie `adopt: {name}` und starten Sie neu.',
  folder_denied:
    'Keine Berechtigung, in {place} zu schreiben.\nLassen Sie die Benutzer-ID {user} dort lesen und schreiben (Eigentümer oder Optionen des Volumes), oder wählen Sie ein anderes Verzeichnis.',
  folder_read_only:
    '{place} liegt auf einem schreibgeschützten Dateisystem.\nHängen Sie das Volume beschreibbar ein, oder wählen Sie ein anderes Verzeichnis.',
  folder_is_file:
    '{place} ist als Verzeichnis nicht brauchbar: An seiner Stelle steht eine Datei.\nVerschieben Sie diese Datei, oder wählen Sie ein anderes Verzeichnis.',
  share_away:
    'Die Freigabe {place} ist nicht eingehängt, deshalb wird dort nichts geschrieben.\nHängen Sie sie wieder ein. Sollen die Dateien dort ohne sie liegen, führen Sie clinic-sync connectors repair aus.',
  inbox_away:
    '{place} ist leer, obwohl hier schon Dateien angenommen wurden: Die Freigabe ist wohl nicht eingehängt.\nHängen Sie sie wieder ein. Soll das Verzeichnis leer sein, legen Sie darin das Verzeichnis done an.',
  disk_full:
    'Kein Platz mehr für {place}.\nSchaffen Sie Platz auf diesem Datenträger; dann wird weitergeschrieben.',
  write_failed:
    'Schreiben in {place} ist fehlgeschlagen{code}.\nPrüfen Sie den Datenträger oder die Netzfreigabe.',
  file_in_use:
    '{place} ließ sich nicht ersetzen{code}.\nSchließen Sie die Datei, wo sie geöffnet ist, oder lassen Sie clinic-sync sie ersetzen; die anderen Dateien sind aktuell.',
  receiver_rejects:
    'Der Empfänger hat mit {status} geantwortet.\nSehen Sie in sein Protokoll: Er nimmt dieses Ereignis nicht an.',
  receiver_denies:
    'Der Empfänger hat mit {status} geantwortet.\nPrüfen Sie das Geheimnis und die Header auf beiden Seiten.',
  receiver_clock:
    'Der Empfänger hat mit {status} geantwortet, und die Uhr dieses Rechners weicht um {minutes} Min. von seiner ab.\nStellen Sie die Uhr (NTP): Eine Signatur gilt nur wenige Minuten.',
  receiver_not_there:
    'Der Empfänger hat mit {status} geantwortet.\nPrüfen Sie die URL: Dort ist beim Empfänger nichts.',
  receiver_no_post:
    'Der Empfänger hat mit {status} geantwortet.\nPrüfen Sie die URL: Dort nimmt der Empfänger kein POST an.',
  receiver_gone:
    'Der Empfänger hat mit {status} geantwortet.\nEr will keine Ereignisse mehr. Entfernen Sie die Anbindung, oder setzen Sie sie fort, wenn das falsch ist.',
  receiver_too_large:
    'Der Empfänger hat mit {status} geantwortet.\nLassen Sie ihn größere Inhalte annehmen, oder setzen Sie thin: true.',
  receiver_slow_down: 'Der Empfänger hat mit {status} geantwortet.\nSetzen Sie rate auf das, was er erlaubt.',
  receiver_redirect:
    'Der Empfänger hat mit {status} geantwortet.\nWeiterleitungen wird nicht gefolgt: Tragen Sie die neue Adresse unter url ein.',
  receiver_broken:
    'Der Empfänger hat mit {status} geantwortet.\nEr hat selbst eine Störung; sehen Sie in sein Protokoll.',
  receiver_web_page:
    'Der Empfänger hat mit {status} und einer Webseite geantwortet, was er bisher nie tat.\nPrüfen Sie, ob die URL noch zum Empfänger führt: Vielleicht gehört die Domain jetzt jemand anderem, oder ein Portal antwortet an seiner Stelle.',
  receiver_status: 'Der Empfänger hat mit {status} geantwortet.',
  paused_by: 'Angehalten von {who}.',
  paused_by_person: 'Von jemandem angehalten.',
  paused_outage:
    'Einen Tag lang ließ sich nichts zustellen ({detail}). Es ging nichts verloren; die Zustellung wird stündlich versucht.',
};
