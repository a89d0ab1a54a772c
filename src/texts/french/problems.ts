import type { problemTexts as english } from '../../domain/problem-texts.ts';
import type { Translated } from '../catalogue.ts';

export const problems: Translated<typeof english> = {
  texts_cut: {
    one: '{place} : 1 texte dépasse ce qu’une cellule peut contenir et a été coupé.',
    other: '{place} : {count} textes dépassent ce qu’une cellule peut contenir et ont été coupés.',
  },
  file_unread: 'Un fichier de {place} est illisible (EIO) : vérifiez le disque.',
  files_failed: {
    one: '1 fichier dans {place} : pas réservé, ou pas en entier. À côté, un .error.txt dit pourquoi ; corrigez-le, déposez-le à nouveau, supprimez-le là.',
    other:
      '{count} fichiers dans {place} : pas réservés, ou pas en entier. À côté de chacun, un .error.txt dit pourquoi ; corrigez, déposez à nouveau, supprimez-le là.',
  },
  files_other:
    '{names} dans {place} : ni fichier .csv ni classeur .xlsx, donc pas réservé. Enregistrez-le là en CSV, ou déplacez-le ailleurs.',
  files_unnameable: {
    one: '1 fichier de {place} ne peut pas être ouvert, car son nom n’est pas en UTF-8 : renommez-le en lettres simples.',
    other:
      '{count} fichiers de {place} ne peuvent pas être ouverts, car leurs noms ne sont pas en UTF-8 : renommez-les en lettres simples.',
  },
  files_in_folders:
    '{names} : dans un dossier à l’intérieur de {place}, où rien n’est lu. Déplacez ce fichier directement dans {place}.',
  files_online_only:
    '{names} dans {place} : simple espace réservé d’un stockage en ligne, sans son contenu. Rendez ce fichier disponible hors connexion.',
  files_unsettled:
    '{names} dans {place} : incomplet depuis le {since}, donc pas lu. Copiez-le à nouveau ou supprimez-le.',
  files_of_others:
    '{names} dans {place} : l’utilisateur {user} ne peut pas le déplacer, car il appartient à {owner}. Donnez-le à l’utilisateur {user} ou retirez le sticky bit du dossier ; le reste continue.',
  files_not_ours:
    '{names} dans {place} : pas écrit par clinic-sync, ou modifié depuis, donc laissé tel quel. Renommez-le ou déplacez-le, car clinic-sync a besoin de ce nom.',
  files_stuck:
    '{names} dans {place} : ne peut pas être pris en charge{code}. Fermez-le là où il est ouvert ou renommez-le ; le reste continue.',
  sheet_in_bin:
    'La feuille de calcul est dans la corbeille de Google Drive : les lignes cochées sont réservées, tout le reste est en suspens. Son propriétaire l’y restaure ou en donne une autre à clinic-sync ; Google la supprime après 30 jours.',
  sheet_full:
    'La feuille de calcul est pleine (Google permet dix millions de cellules) : rien n’y est ajouté. Supprimez des lignes vides, des colonnes ou d’anciens onglets.',
  tab_unmarked: '{place} : n’a plus les marques de clinic-sync et n’est pas tenu à jour.',
  bookings_unmarked:
    '{place} : n’a plus les marques de clinic-sync ; les lignes cochées n’y sont PAS réservées. Déplacez-les vers l’onglet actuel.',
  tab_gone:
    '{place} : l’onglet avait disparu ; clinic-sync en crée un nouveau au bout d’une minute. Ce que des personnes y avaient ajouté est dans l’historique des versions ; si l’onglet ne sert pas, retirez-le de `tabs`.',
  writes_undone:
    '{place} : ce que clinic-sync écrit ne reste pas, chaque lecture montre les anciennes cellules. Cherchez un script dans la feuille de calcul, ou un proxy devant Google, qui l’annule.',
  tab_copied: '{place} : copie d’un onglet tenu par clinic-sync ; elle n’est pas mise à jour.',
  bookings_copied:
    '{place} : copie d’un onglet tenu par clinic-sync ; les lignes cochées n’y sont PAS réservées.',
  copy_ticked: {
    one: '1 ligne cochée dans une copie de Bookings n’est PAS réservée. Déplacez-la vers l’onglet actuel.',
    other:
      '{count} lignes cochées dans une copie de Bookings ne sont PAS réservées. Déplacez-les vers l’onglet actuel.',
  },
  part_drop_downs: 'Les listes déroulantes de Bookings',
  part_stale_colour: 'La couleur de STALE dans Sync',
  part_age: 'L’âge de {tab}',
  part_ages: 'L’âge des onglets',
  part_charts: 'Les graphiques d’Overview',
  part_refused: '{place} : pas à jour. {detail}',
  id_column_gone:
    '{place} : la colonne ID (ou Clinic) a été supprimée ; les lignes ne se distinguent plus et l’onglet reste tel quel. Annulez la suppression ou lancez : clinic-sync connectors repair.',
  cells_drifted: {
    one: '{place} : 1 cellule a été modifiée à la main et laissée ainsi (on_drift: report).',
    other: '{place} : {count} cellules ont été modifiées à la main et laissées ainsi (on_drift: report).',
  },
  rows_doubled: {
    one: '{place} : {ids} figure dans plusieurs lignes ; les totaux comptent double. Supprimez la copie.',
    other:
      '{place} : {ids} figurent dans plusieurs lignes ; les totaux comptent double. Supprimez les copies.',
  },
  rows_unknown: {
    one: '{place} : la ligne {rows} n’a pas d’ID ou de Clinic connu ; elle n’est pas tenue à jour et les totaux peuvent la compter deux fois. Supprimez-la.',
    other:
      '{place} : les lignes {rows} n’ont pas d’ID ou de Clinic connu ; elles ne sont pas tenues à jour et les totaux peuvent les compter deux fois. Supprimez-les.',
  },
  cells_hidden: {
    one: '{place} : 1 de nos cellules est cachée par une fusion ; elle n’est ni lue ni écrite. Annulez la fusion.',
    other:
      '{place} : {count} de nos cellules sont cachées par une fusion ; elles ne sont ni lues ni écrites. Annulez la fusion.',
  },
  cells_merged: {
    one: '{place} : 1 cellule ou ligne n’est pas à jour, car des cellules y ont été fusionnées. Annulez la fusion.',
    other:
      '{place} : {count} cellules ou lignes ne sont pas à jour, car des cellules y ont été fusionnées. Annulez la fusion.',
  },
  tab_protected: {
    one: '{place} : 1 cellule ou ligne n’est pas à jour, car l’onglet est protégé. Autorisez l’adresse de clinic-sync à le modifier.',
    other:
      '{place} : {count} cellules ou lignes ne sont pas à jour, car l’onglet est protégé. Autorisez l’adresse de clinic-sync à le modifier.',
  },
  range_protected: {
    one: '{place} : 1 cellule ou ligne n’est pas à jour, car la plage {range} est protégée. Autorisez l’adresse de clinic-sync à la modifier.',
    other:
      '{place} : {count} cellules ou lignes ne sont pas à jour, car la plage {range} est protégée. Autorisez l’adresse de clinic-sync à la modifier.',
  },
  columns_gone: {
    one: '{place} : la colonne {columns} n’est pas tenue à jour : supprimée ou sans notre marque. Pour la retrouver : clinic-sync connectors repair.',
    other:
      '{place} : les colonnes {columns} ne sont pas tenues à jour : supprimées ou sans notre marque. Pour les retrouver : clinic-sync connectors repair.',
  },
  fees_as_text: {
    one: '{place} : 1 tarif est écrit en texte : une feuille de calcul ne peut pas contenir le nombre exact.',
    other:
      '{place} : {count} tarifs sont écrits en texte : une feuille de calcul ne peut pas contenir les nombres exacts.',
  },
  booking_columns_gone: {
    one: '{place} : la colonne {columns} a été supprimée ; aucune réservation n’est prise de l’onglet. Annulez la suppression ou lancez : clinic-sync connectors repair.',
    other:
      '{place} : les colonnes {columns} ont été supprimées ; aucune réservation n’est prise de l’onglet. Annulez la suppression ou lancez : clinic-sync connectors repair.',
  },
  row_refused: '{place} : {ref} n’a pas été acceptée. {detail}',
  answers_closed: {
    one: '{place} : 1 cellule ne peut pas être écrite, car elle est protégée ou fusionnée. Autorisez l’adresse de clinic-sync à modifier Ref, State, Appointment, Message, Updated et Send.',
    other:
      '{place} : {count} cellules ne peuvent pas être écrites, car elles sont protégées ou fusionnées. Autorisez l’adresse de clinic-sync à modifier Ref, State, Appointment, Message, Updated et Send.',
  },
  rows_changed:
    '{place} : modifié après l’envoi, le cabinet n’en sait rien : {rows}.\nAppelez le cabinet. Ceci reste affiché jusqu’à la fin du rendez-vous, ou jusqu’à ce que la ligne contienne de nouveau ce qui a été envoyé.',
  rows_overtyped:
    '{place} : un autre patient a été saisi par-dessus {rows} et n’a PAS de réservation.\nSaisissez-le sur une ligne à lui.',
  columns_unmarked:
    '{place} : la colonne {columns} a perdu notre marque et n’est pas tenue à jour.\nLancez : clinic-sync connectors repair.',
  booking_columns_unmarked:
    '{place} : la colonne {columns} a perdu notre marque ; aucune réservation n’est prise dans l’onglet.\nLancez : clinic-sync connectors repair.',
  columns_moved:
    '{place} : {columns} a été coupée et collée ailleurs, notre marque est restée ; rien n’y est écrit ni lu.\nLancez : clinic-sync connectors repair, qui déplace la marque.',
  header_gone:
    '{place} : la ligne des en-têtes a été supprimée.\nPour la retrouver : clinic-sync connectors repair.',
  cells_written_back:
    '{place} : un script, un module ou quelqu’un annule sans cesse ce que clinic-sync écrit : {cells}.\nCherchez-le sous Extensions et arrêtez-le.',
  ref_closed:
    '{place} : rien n’est réservé depuis cet onglet tant que Ref est protégée ou fusionnée.\nAutorisez l’adresse de clinic-sync à modifier Ref, State, Appointment, Message, Updated et Send.',
  erased_shown:
    '{place} : {refs} : la ligne a été modifiée après l’envoi, et la personne a été effacée depuis. Supprimez ce qu’elle en montre encore, ou videz Ref s’il s’agit de quelqu’un d’autre.',
  deliveries_held_up: {
    one: '1 événement attend depuis le {since} et sera renvoyé le {until}. {detail}',
    other: '{count} événements attendent depuis le {since} ; le prochain essai est le {until}. {detail}',
  },
};
