import type { checkTexts as english } from '../../domain/check-texts.ts';
import type { Translated } from '../catalogue.ts';

export const checks: Translated<typeof english> = {
  check_files: 'bestanden: in {place} kan worden geschreven',
  check_files_later: 'bestanden: {place} bestaat nog niet en wordt gemaakt',
  check_inbox: 'postvak: in {place} kan worden geschreven',
  check_inbox_later: 'postvak: {place} bestaat nog niet en wordt gemaakt',
  check_free: '{size} vrij voor {place}',
  check_free_little: '{size} vrij voor {place}\nMaak ruimte op die schijf.',
  check_xlsx: 'XLSX: getallen, datums en voorloopnullen komen aan zoals ze zijn',
  check_data: 'profiel data: exacte waarden, voor programma’s',
  check_excel:
    'profiel excel: veilig te openen, maar een spreadsheetprogramma laat voorloopnullen weg (017…); `format: xlsx` bewaart ze',
  check_inbox_clinic:
    'postvak: er zijn meerdere praktijken en inbox_clinic is niet ingesteld\nStel inbox_clinic in, of geef elk bestand een kolom clinic.',
  check_key: 'sleutel: van {address} (deel de spreadsheet met dit adres)',
  check_key_open:
    'sleutel: {file} is leesbaar voor andere gebruikers van deze computer\nVoer uit: chmod 600 {file}',
  check_token: 'token: Google accepteert de sleutel',
  check_read: 'lezen: ‘{title}’ is leesbaar',
  check_write: 'schrijven: {address} mag hem wijzigen',
  check_bin:
    'prullenbak: er was niet te zien of de spreadsheet in de prullenbak van Google Drive ligt\nOpen in de Google Cloud Console ‘APIs & Services’, zoek ‘Google Drive API’ en klik op ‘Enable’.',
  check_keeper: 'bijgehouden door: deze installatie',
  check_keeper_none: 'bijgehouden door: nog niemand; de eerste keer wordt dat vastgelegd',
  check_columns:
    'kolommen: in {place} ontbreekt {columns}\nDat blijft zo. Terughalen: clinic-sync connectors repair.',
  check_looks:
    'opmaak: in {place} ontbreekt de opmaak of de waarschuwing van een nieuw tabblad voor {columns}; nullen kunnen wegvallen of antwoorden overschreven worden\nInstellen: clinic-sync connectors repair.',
  check_protection:
    'beveiliging: een bereik van {place} is voor ons gesloten\nLaat het adres hierboven het bewerken bij ‘Gegevens’, ‘Bladen en bereiken beveiligen’.',
  check_copies:
    'tabbladen: {tabs} is een kopie van een tabblad van clinic-sync en wordt niet bijgewerkt\nBewaar die, of wis die.',
  check_tabs: 'tabbladen: {tabs}',
  check_tabs_later: 'tabbladen: {tabs}; de eerste keer gemaakt: {missing}',
  check_month_first:
    'De spreadsheet ({locale}) leest een getypt 05/01/2027 als 1 mei, maar in {zone} bedoelt men 5 januari.\nWijzig het onder Bestand, Instellingen, Land, of kies dagen in de kalender; Message schrijft elke dag voluit.',
  check_locale: 'landinstelling {locale}, tijdzone {zone}',
  check_reachable: '{host} is bereikbaar',
  check_certificate: '{host} is bereikbaar en heeft een geldig certificaat',
  check_unencrypted:
    'Patiëntgegevens gaan onversleuteld naar buiten\nGebruik https, of haal patient uit include.',
  check_short_secret:
    'Het geheim is korter dan 24 bytes\nMaak er een met `openssl rand -base64 24` en zet er whsec_ voor.',
  check_form: 'het boekingsformulier staat op {path}; het mag daarvandaan worden verstuurd',
  check_form_sites:
    'het boekingsformulier staat op {path}; het mag daarvandaan worden verstuurd, en uit formulieren van {sites}',
  check_no_submission: 'er is nog geen aanvraag binnengekomen',
};
