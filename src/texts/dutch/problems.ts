import type { problemTexts as english } from '../../domain/problem-texts.ts';
import type { Translated } from '../catalogue.ts';

export const problems: Translated<typeof english> = {
  texts_cut: {
    one: '{place}: 1 tekst is langer dan een cel kan bevatten en is ingekort.',
    other: '{place}: {count} teksten zijn langer dan een cel kan bevatten en zijn ingekort.',
  },
  file_unread: 'Een bestand in {place} is niet leesbaar (EIO): controleer de schijf.',
  files_failed: {
    one: '1 bestand in {place}: niet of niet helemaal geboekt. Ernaast staat in een .error.txt waarom; verbeter het, zet het opnieuw klaar en wis het daar.',
    other:
      '{count} bestanden in {place}: niet of niet helemaal geboekt. Naast elk staat in een .error.txt waarom; verbeter het, zet het opnieuw klaar en wis het daar.',
  },
  files_other:
    '{names} in {place}: geen .csv-bestand en geen .xlsx-werkmap, dus niet geboekt. Sla het daar op als CSV of verplaats het.',
  files_unnameable: {
    one: '1 bestand in {place} kan niet worden geopend, omdat de naam geen UTF-8 is: hernoem het met gewone letters.',
    other:
      '{count} bestanden in {place} kunnen niet worden geopend, omdat de namen geen UTF-8 zijn: hernoem ze met gewone letters.',
  },
  files_in_folders:
    '{names}: staat in een map binnen {place}, waar niets wordt gelezen. Verplaats het bestand naar {place} zelf.',
  files_online_only:
    '{names} in {place}: alleen een plaatshouder van een cloudstation, zonder inhoud. Maak het daar offline beschikbaar.',
  files_unsettled:
    '{names} in {place}: sinds {since} niet volledig en daarom niet gelezen. Kopieer het opnieuw of verwijder het daar.',
  files_of_others:
    '{names} in {place}: gebruiker {user} mag het niet verplaatsen, want het is van {owner}. Geef het aan gebruiker {user} of haal de sticky bit van de map weg; al het andere gaat door.',
  files_not_ours:
    '{names} in {place}: niet door clinic-sync geschreven of sindsdien gewijzigd en blijft daarom zoals het is. Hernoem of verplaats het, want clinic-sync heeft die naam nodig.',
  files_stuck:
    '{names} in {place}: kan niet worden overgenomen{code}. Sluit het waar het open is of hernoem het; al het andere gaat door.',
  sheet_in_bin:
    'De spreadsheet ligt in de prullenbak van Google Drive: aangevinkte rijen worden geboekt, al het andere rust. De eigenaar zet hem daar terug of geeft clinic-sync een andere; Google wist hem na 30 dagen.',
  sheet_full:
    'De spreadsheet is vol (Google staat tien miljoen cellen toe): er komt niets nieuws bij. Wis lege rijen, kolommen of oude tabbladen.',
  tab_unmarked: '{place}: heeft de merktekens van clinic-sync niet meer en wordt niet bijgewerkt.',
  bookings_unmarked:
    '{place}: heeft de merktekens van clinic-sync niet meer; aangevinkte rijen worden NIET geboekt. Verplaats ze naar het huidige tabblad.',
  tab_gone:
    '{place}: het tabblad was weg, daarom maakt clinic-sync na een minuut een nieuw. Wat mensen hadden toegevoegd, staat in de versiegeschiedenis; is het tabblad niet nodig, haal het dan uit `tabs`.',
  writes_undone:
    '{place}: wat clinic-sync schrijft, blijft niet staan; elke lezing toont de vorige cellen. Zoek een script in de spreadsheet, of een proxy voor Google, dat het ongedaan maakt.',
  tab_copied: '{place}: een kopie van een tabblad van clinic-sync; die wordt niet bijgewerkt.',
  bookings_copied:
    '{place}: een kopie van een tabblad van clinic-sync; aangevinkte rijen worden NIET geboekt.',
  copy_ticked: {
    one: '1 aangevinkte rij in een kopie van Bookings is NIET geboekt. Verplaats die naar het huidige tabblad.',
    other:
      '{count} aangevinkte rijen in een kopie van Bookings zijn NIET geboekt. Verplaats ze naar het huidige tabblad.',
  },
  part_drop_downs: 'De keuzelijsten van Bookings',
  part_stale_colour: 'De kleur van STALE in Sync',
  part_age: 'De leeftijd van {tab}',
  part_ages: 'De leeftijd van de tabbladen',
  part_charts: 'De grafieken van Overview',
  part_refused: '{place}: niet bijgewerkt. {detail}',
  id_column_gone:
    '{place}: de kolom ID (of Clinic) is gewist, dus rijen zijn niet te onderscheiden en het tabblad blijft zoals het is. Maak het wissen ongedaan of voer uit: clinic-sync connectors repair.',
  cells_drifted: {
    one: '{place}: 1 cel is met de hand gewijzigd en blijft zo (on_drift: report).',
    other: '{place}: {count} cellen zijn met de hand gewijzigd en blijven zo (on_drift: report).',
  },
  rows_doubled: {
    one: '{place}: {ids} staat in meer dan één rij; sommen tellen het dubbel. Wis de kopie.',
    other: '{place}: {ids} staan in meer dan één rij; sommen tellen ze dubbel. Wis de kopieën.',
  },
  rows_unknown: {
    one: '{place}: rij {rows} heeft geen bekende ID of Clinic; de rij wordt niet bijgewerkt en sommen tellen haar mogelijk dubbel. Wis de rij.',
    other:
      '{place}: de rijen {rows} hebben geen bekende ID of Clinic; ze worden niet bijgewerkt en sommen tellen ze mogelijk dubbel. Wis de rijen.',
  },
  cells_hidden: {
    one: '{place}: 1 cel van ons ligt onder samengevoegde cellen en wordt gelezen noch geschreven. Hef de samenvoeging op.',
    other:
      '{place}: {count} cellen van ons liggen onder samengevoegde cellen en worden gelezen noch geschreven. Hef de samenvoeging op.',
  },
  cells_merged: {
    one: '{place}: 1 cel of rij is niet bijgewerkt, omdat daar cellen zijn samengevoegd. Hef de samenvoeging op.',
    other:
      '{place}: {count} cellen of rijen zijn niet bijgewerkt, omdat daar cellen zijn samengevoegd. Hef de samenvoeging op.',
  },
  tab_protected: {
    one: '{place}: 1 cel of rij is niet bijgewerkt, omdat het tabblad beveiligd is. Laat het adres van clinic-sync het bewerken.',
    other:
      '{place}: {count} cellen of rijen zijn niet bijgewerkt, omdat het tabblad beveiligd is. Laat het adres van clinic-sync het bewerken.',
  },
  range_protected: {
    one: '{place}: 1 cel of rij is niet bijgewerkt, omdat het bereik {range} beveiligd is. Laat het adres van clinic-sync het bewerken.',
    other:
      '{place}: {count} cellen of rijen zijn niet bijgewerkt, omdat het bereik {range} beveiligd is. Laat het adres van clinic-sync het bewerken.',
  },
  columns_gone: {
    one: '{place}: de kolom {columns} wordt niet bijgewerkt: gewist of zonder ons merkteken. Terughalen: clinic-sync connectors repair.',
    other:
      '{place}: de kolommen {columns} worden niet bijgewerkt: gewist of zonder ons merkteken. Terughalen: clinic-sync connectors repair.',
  },
  fees_as_text: {
    one: '{place}: 1 tarief staat er als tekst: een spreadsheet kan het getal niet precies bevatten.',
    other:
      '{place}: {count} tarieven staan er als tekst: een spreadsheet kan de getallen niet precies bevatten.',
  },
  booking_columns_gone: {
    one: '{place}: de kolom {columns} is gewist, dus uit het tabblad wordt geen boeking overgenomen. Maak het wissen ongedaan of voer uit: clinic-sync connectors repair.',
    other:
      '{place}: de kolommen {columns} zijn gewist, dus uit het tabblad wordt geen boeking overgenomen. Maak het wissen ongedaan of voer uit: clinic-sync connectors repair.',
  },
  row_refused: '{place}: {ref} is niet overgenomen. {detail}',
  answers_closed: {
    one: '{place}: 1 cel kan niet worden geschreven, omdat ze beveiligd of samengevoegd is. Laat het adres van clinic-sync Ref, State, Appointment, Message, Updated en Send bewerken.',
    other:
      '{place}: {count} cellen kunnen niet worden geschreven, omdat ze beveiligd of samengevoegd zijn. Laat het adres van clinic-sync Ref, State, Appointment, Message, Updated en Send bewerken.',
  },
  rows_changed:
    '{place}: na het versturen gewijzigd, dus de praktijk weet er niets van: {rows}.\nBel de praktijk. Dit blijft staan tot de afspraak voorbij is of in de rij weer staat wat er verstuurd is.',
  rows_overtyped:
    '{place}: over {rows} heen is een andere patiënt getypt, voor wie NIETS geboekt is.\nZet die patiënt in een eigen rij.',
  columns_unmarked:
    '{place}: de kolom {columns} is ons merkteken kwijt en wordt niet bijgewerkt.\nVoer uit: clinic-sync connectors repair.',
  booking_columns_unmarked:
    '{place}: de kolom {columns} is ons merkteken kwijt, dus uit het tabblad wordt geen boeking overgenomen.\nVoer uit: clinic-sync connectors repair.',
  columns_moved:
    '{place}: {columns} is geknipt en ergens anders geplakt, en ons merkteken bleef achter; daar wordt niets geschreven of gelezen.\nVoer uit: clinic-sync connectors repair. Dat verplaatst het merkteken.',
  header_gone:
    '{place}: de rij met de kolomkoppen is verwijderd.\nOm die terug te krijgen: clinic-sync connectors repair.',
  cells_written_back:
    '{place}: een script, een add-on of iemand verandert steeds terug wat clinic-sync schrijft: {cells}.\nZoek het onder Extensies en zet het uit.',
  ref_closed:
    '{place}: uit dit tabblad wordt niets geboekt zolang Ref beveiligd of samengevoegd is.\nLaat het adres van clinic-sync Ref, State, Appointment, Message, Updated en Send bewerken.',
  erased_shown:
    '{place}: {refs}: de rij is na het versturen gewijzigd en de persoon is sindsdien gewist. Wis wat er nog van die persoon staat, of maak Ref leeg als het om iemand anders gaat.',
  deliveries_held_up: {
    one: '1 gebeurtenis wacht sinds {since} en wordt op {until} opnieuw verzonden. {detail}',
    other: '{count} gebeurtenissen wachten sinds {since}; de volgende poging is op {until}. {detail}',
  },
};
