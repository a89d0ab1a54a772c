import type { checkTexts as english } from '../../domain/check-texts.ts';
import type { Translated } from '../catalogue.ts';

export const checks: Translated<typeof english> = {
  check_files: 'Dateien: {place} ist beschreibbar',
  check_files_later: 'Dateien: {place} gibt es noch nicht; das Verzeichnis wird angelegt',
  check_inbox: 'Eingang: {place} ist beschreibbar',
  check_inbox_later: 'Eingang: {place} gibt es noch nicht; das Verzeichnis wird angelegt',
  check_free: '{size} frei für {place}',
  check_free_little: '{size} frei für {place}\nSchaffen Sie Platz auf diesem Datenträger.',
  check_xlsx: 'XLSX: Zahlen, Daten und führende Nullen kommen an, wie sie sind',
  check_data: 'Profil data: genaue Werte, für Programme',
  check_excel:
    'Profil excel: sicher zu öffnen, aber ein Tabellenprogramm streicht führende Nullen (017…); `format: xlsx` behält sie',
  check_inbox_clinic:
    'Eingang: mehrere Praxen, aber inbox_clinic ist nicht gesetzt\nSetzen Sie inbox_clinic, oder geben Sie jeder Datei eine Spalte clinic.',
  check_key: 'Schlüssel: von {address} (für diese Adresse die Tabelle freigeben)',
  check_key_open:
    'Schlüssel: {file} können andere Benutzer dieses Rechners lesen\nFühren Sie aus: chmod 600 {file}',
  check_token: 'Token: Google nimmt den Schlüssel an',
  check_read: 'Lesen: „{title}“ ist lesbar',
  check_write: 'Schreiben: {address} darf sie ändern',
  check_bin:
    'Papierkorb: Es ließ sich nicht feststellen, ob die Tabelle im Papierkorb von Google Drive liegt\nÖffnen Sie in der Google Cloud Console „APIs & Services“, suchen Sie „Google Drive API“ und klicken Sie auf „Enable“.',
  check_keeper: 'Geführt von: dieser Installation',
  check_keeper_none: 'Geführt von: noch niemandem; der erste Lauf trägt es ein',
  check_columns:
    'Spalten: {place} fehlt {columns}\nDas bleibt so. Zurück kommen sie mit: clinic-sync connectors repair.',
  check_looks:
    'Formate: {columns} in {place} fehlt das Format oder die Warnung eines neuen Blatts; Nullen können verloren gehen oder Antworten überschrieben werden\nSetzen: clinic-sync connectors repair.',
  check_protection:
    'Schutz: Ein Bereich von {place} ist für uns gesperrt\nErlauben Sie der Adresse oben unter „Daten“, „Blätter und Bereiche schützen“ das Bearbeiten.',
  check_copies:
    'Blätter: {tabs} ist die Kopie eines Blatts von clinic-sync und wird nicht aktualisiert\nBehalten Sie sie als Beleg, oder löschen Sie sie.',
  check_tabs: 'Blätter: {tabs}',
  check_tabs_later: 'Blätter: {tabs}; mit dem ersten Lauf entstehen: {missing}',
  check_month_first:
    'Die Tabelle ({locale}) liest ein getipptes 05/01/2027 als 1. Mai, in {zone} meint man damit den 5. Januar.\nÄndern Sie es unter Datei, Einstellungen, Gebietsschema, oder wählen Sie Tage im Kalender; Message nennt jeden Tag in Worten.',
  check_locale: 'Gebietsschema {locale}, Zeitzone {zone}',
  check_reachable: '{host} ist erreichbar',
  check_certificate: '{host} ist erreichbar und hat ein gültiges Zertifikat',
  check_unencrypted:
    'Patientendaten gehen unverschlüsselt hinaus\nNehmen Sie https, oder streichen Sie patient aus include.',
  check_short_secret:
    'Das Geheimnis ist kürzer als 24 Bytes\nErzeugen Sie eines mit `openssl rand -base64 24` und setzen Sie whsec_ davor.',
  check_form: 'das Buchungsformular ist unter {path}; es darf von dort gesendet werden',
  check_form_sites:
    'das Buchungsformular ist unter {path}; es darf von dort gesendet werden und aus Formularen von {sites}',
  check_no_submission: 'es ist noch keine Anfrage gekommen',
};
