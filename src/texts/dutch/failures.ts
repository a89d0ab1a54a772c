import type { failureTexts as english } from '../../domain/failure-texts.ts';
import type { Translated } from '../catalogue.ts';

export const failures: Translated<typeof english> = {
  google_sign_in_ended:
    'Google accepteert de aanmelding niet meer: ze is ingetrokken of verlopen.\nLog opnieuw in: clinic-sync connectors login. Zolang de OAuth-app op ‘Testing’ staat, beëindigt Google elke aanmelding na zeven dagen: publiceer de app of zet hem op ‘Internal’.',
  google_client_unknown:
    'Google kent de OAuth-client van de aanmelding niet.\nDownload de JSON van de client opnieuw, daarna: clinic-sync connectors login.',
  google_key_refused:
    'Google accepteert de sleutel van {address} niet: de sleutel of het account is ingetrokken of gewist.\nMaak een nieuwe sleutel voor het serviceaccount (Keys, Add key, JSON) en vervang de oude.',
  google_clock:
    'Google accepteert onze aanmelding niet, omdat de klok van deze computer verkeerd staat.\nZet de klok gelijk (NTP) en probeer het opnieuw.',
  google_account_disabled:
    'Google heeft {address} uitgeschakeld.\nZet het account aan in de Google Cloud Console (IAM & Admin, Service accounts) of maak een nieuw.',
  google_client_disabled:
    'Google heeft {address} uitgeschakeld.\nControleer in de Google Cloud Console de inloggegevens van het project of maak nieuwe.',
  google_slow_down:
    'Google vraagt ons langzamer te doen ({status}).\nU hoeft niets te doen: over een minuut gaat het verder.',
  google_token_refused:
    'Google heeft ons token niet geaccepteerd.\nDe volgende poging vraagt een nieuw token.',
  google_reauth:
    'Google vraagt {address} om opnieuw in te loggen: de organisatie eist dat om de paar uur.\nLog in: clinic-sync connectors login. Een serviceaccount voorkomt dit, of een uitzondering voor de app door de Google-beheerder.',
  google_client_unauthorized:
    'Google laat deze client niet inloggen als {address}: hij is verwijderd, of gemaakt voor een andere manier van inloggen.\nMaak een OAuth-client van het type Desktop-app (of een nieuwe sleutel), en dan: clinic-sync connectors login.',
  google_project_suspended:
    'Google heeft het Cloud-project van {address} opgeschort.\nLees de e-mail van Google aan de eigenaar en maak bezwaar in de Google Cloud-console, of gebruik een account van een ander project.',
  google_project_gone:
    'Het Cloud-project van {address} is verwijderd.\nHerstel het binnen 30 dagen in de Google Cloud-console (IAM en beheer, Bronnen beheren), of maak een account in een ander project.',
  google_billing:
    'Facturering staat uit voor het Cloud-project van {address}, en Google eist die.\nZet facturering aan in de Google Cloud-console, of gebruik een account van een ander project.',
  google_address_blocked:
    'Google weigert aanroepen vanaf het netwerkadres van deze machine.\nKijk naar beperkingen op adres bij de client en in de toegangsniveaus van de organisatie, en sta dit adres daar toe.',
  google_other_reason:
    'Google heeft dit aan {address} geweigerd: {reason}.\nZoek deze reden op in de documentatie van Google, of vraag uw Google-beheerder.',
  google_no_project:
    'Google weet niet bij welk project onze aanroepen horen.\nVoer uit: gcloud auth application-default set-quota-project PROJECT, met een project waarin de Google Sheets API aanstaat.',
  google_scope:
    'De aanmelding van {address} geldt niet voor spreadsheets.\nLog daarvoor in met clinic-sync connectors login of {login}. Een virtuele machine van Google heeft het bereik {scope} nodig.',
  google_api_off:
    'De Google Sheets API staat uit in het project van het serviceaccount.\nOpen in de Google Cloud Console ‘APIs & Services’, zoek ‘Google Sheets API’ en klik op ‘Enable’.',
  google_drive_full:
    'De Google Drive van de eigenaar van de spreadsheet is vol.\nMaak daar ruimte (ook in Gmail en Foto’s), of geef de spreadsheet aan iemand die ruimte heeft.',
  google_policy:
    'De regels van uw organisatie bij Google verbieden dit voor {address}.\nVraag de Google-beheerder het toe te staan, of log in als iemand van de organisatie: clinic-sync connectors login.',
  google_read_only:
    '{address} mag de spreadsheet bekijken, maar niet wijzigen.\nDeel hem met dit adres als bewerker.',
  google_not_shared: 'De spreadsheet is niet gedeeld met {address}.\nDeel hem met dit adres als bewerker.',
  google_no_spreadsheet:
    'Er is geen spreadsheet met deze id: er staat een typefout in, of de spreadsheet is gewist.\nKopieer het adres uit de browser naar `spreadsheet`; kijk in de prullenbak van Google Drive.',
  google_typed_columns:
    'Google neemt van ons geen keuzelijsten en selectievakjes aan waar iemand een tabel met kolomtypen heeft gemaakt.\nEr gaat niets verloren: namen kunnen worden getypt. Zet die tabel om in onopgemaakte gegevens om ze terug te krijgen.',
  google_protected:
    'Iets in de spreadsheet is beveiligd tegen {address}.\nSta dit adres bij ‘Gegevens’, ‘Bladen en bereiken beveiligen’ toe te bewerken; al het andere blijft intussen actueel.',
  google_full:
    'De spreadsheet is vol: Google staat tien miljoen cellen toe.\nWis lege rijen, kolommen of oude tabbladen, of geef clinic-sync een eigen spreadsheet.',
  google_tab_gone: 'Een tabblad is gewist.\nHet wordt opnieuw gemaakt.',
  google_excel:
    'Het bestand is een Excel-werkmap in Google Drive, geen Google-spreadsheet.\nOpen het, kies ‘Bestand’, ‘Opslaan als Google Spreadsheets’ en gebruik het adres van het nieuwe bestand.',
  google_changed: 'De spreadsheet werd op hetzelfde moment gewijzigd.\nHij wordt opnieuw gelezen.',
  google_refused:
    'Google heeft ons verzoek geweigerd ({words}).\nDat is een fout van de koppeling; meld hem met het tijdstip.',
  google_cell_refused:
    'Google weigert wat clinic-sync daar schrijft{cell}: {words}.\nMaak ongedaan wat daar het laatst met de hand is gewijzigd (regel, tabel, samenvoeging, beveiliging); binnen vijf minuten volgt een nieuwe poging.',
  google_unreachable:
    'Google was niet bereikbaar{code}.\nBlijft dat zo, controleer dan het netwerk en of een firewall sheets.googleapis.com en oauth2.googleapis.com doorlaat.',
  google_certificate:
    'Geen veilige verbinding met Google{code}.\nOnderweg antwoordt iets in zijn plaats: sluit Google in de firewall of proxy uit van inspectie, of zet in NODE_EXTRA_CA_CERTS het certificaat van de bijbehorende certificaatautoriteit.',
  google_redirect:
    'Google antwoordde met een doorverwijzing ({status}), die niet wordt gevolgd.\nBlijft dat zo, dan antwoordt misschien een proxy of firewall in plaats van Google.',
  google_web_page:
    'In plaats van Google antwoordde een webpagina ({status}).\nBlijft dat zo, laat dan sheets.googleapis.com en oauth2.googleapis.com door de proxy, firewall of het aanmeldportaal van dit netwerk.',
  google_odd_answer:
    'Wat in plaats van Google antwoordde ({status}), is niet waar om gevraagd was; er is niets van gebruikt.\nBlijft dat zo, zoek dan een proxy of firewall die in plaats van Google antwoordt.',
  google_status: 'Google antwoordde {status}.\nHet wordt opnieuw geprobeerd.',
  sheet_of_another:
    'De spreadsheet hoort bij een andere installatie van clinic-sync ({name}); er wordt niets in geschreven en geen boeking uit overgenomen.\nDraait die niet meer (of is haar database verloren), zet dan `adopt: {name}` en start opnieuw.',
  folder_denied:
    'Geen toestemming om in {place} te schrijven.\nLaat gebruiker {user} daar lezen en schrijven (eigenaar of opties van het volume), of kies een andere map.',
  folder_read_only:
    '{place} staat op een alleen-lezen bestandssysteem.\nKoppel het volume beschrijfbaar aan, of kies een andere map.',
  folder_is_file:
    '{place} kan geen map zijn: er staat een bestand op die plaats.\nVerplaats dat bestand, of kies een andere map.',
  share_away:
    'De netwerkmap {place} is niet aangekoppeld, dus daar wordt niets geschreven.\nKoppel die weer aan. Horen de bestanden daar zonder netwerkmap, voer dan clinic-sync connectors repair uit.',
  inbox_away:
    '{place} is leeg, terwijl hier al bestanden zijn aangenomen: de netwerkmap is waarschijnlijk niet aangekoppeld.\nKoppel die weer aan. Hoort de map leeg te zijn, maak daarin dan de map ‘done’ aan.',
  disk_full: 'Geen ruimte meer voor {place}.\nMaak ruimte op die schijf; daarna gaat het schrijven verder.',
  write_failed: 'Schrijven in {place} is mislukt{code}.\nControleer de schijf of de netwerkmap.',
  file_in_use:
    '{place} kon niet worden vervangen{code}.\nSluit het waar het open is, of laat clinic-sync het vervangen; de andere bestanden zijn actueel.',
  receiver_rejects:
    'De ontvanger antwoordde {status}.\nKijk in zijn logboek: hij accepteert deze gebeurtenis niet.',
  receiver_denies: 'De ontvanger antwoordde {status}.\nControleer het geheim en de headers aan beide kanten.',
  receiver_clock:
    'De ontvanger antwoordde {status}, en de klok van deze machine wijkt {minutes} min. van de zijne af.\nZet de klok gelijk (NTP): een handtekening geldt maar enkele minuten.',
  receiver_not_there: 'De ontvanger antwoordde {status}.\nControleer de url: daar heeft hij niets.',
  receiver_no_post: 'De ontvanger antwoordde {status}.\nControleer de url: daar accepteert hij geen POST.',
  receiver_gone:
    'De ontvanger antwoordde {status}.\nHij wil geen gebeurtenissen meer. Verwijder de koppeling, of hervat haar als dat niet klopt.',
  receiver_too_large: 'De ontvanger antwoordde {status}.\nLaat hem grotere inhoud toe, of zet thin: true.',
  receiver_slow_down: 'De ontvanger antwoordde {status}.\nZet rate op wat hij toestaat.',
  receiver_redirect:
    'De ontvanger antwoordde {status}.\nDoorverwijzingen worden niet gevolgd: zet het nieuwe adres in url.',
  receiver_broken: 'De ontvanger antwoordde {status}.\nHij heeft zelf een storing; kijk in zijn logboek.',
  receiver_web_page:
    'De ontvanger antwoordde {status} met een webpagina, wat hij nooit eerder deed.\nControleer of de url nog naar de ontvanger leidt: misschien heeft het domein een nieuwe eigenaar, of antwoordt een portaal in zijn plaats.',
  receiver_status: 'De ontvanger antwoordde {status}.',
  paused_by: 'Gepauzeerd door {who}.',
  paused_by_person: 'Door iemand gepauzeerd.',
  paused_outage:
    'Een dag lang kon niets worden afgeleverd ({detail}). Er is niets verloren; elk uur volgt een poging.',
};
