import type { checkTexts as english } from '../../domain/check-texts.ts';
import type { Translated } from '../catalogue.ts';

export const checks: Translated<typeof english> = {
  check_files: 'fichiers : {place} est accessible en écriture',
  check_files_later: 'fichiers : {place} n’existe pas encore et sera créé',
  check_inbox: 'dépôt : {place} est accessible en écriture',
  check_inbox_later: 'dépôt : {place} n’existe pas encore et sera créé',
  check_free: '{size} libres pour {place}',
  check_free_little: '{size} libres pour {place}\nLibérez de la place sur ce disque.',
  check_xlsx: 'XLSX : nombres, dates et zéros initiaux arrivent tels quels',
  check_data: 'profil data : valeurs exactes, pour les programmes',
  check_excel:
    'profil excel : sans danger à l’ouverture, mais un tableur retire les zéros initiaux (017…) ; `format: xlsx` les garde',
  check_inbox_clinic:
    'dépôt : plusieurs cabinets, mais inbox_clinic n’est pas défini\nDéfinissez inbox_clinic, ou donnez à chaque fichier une colonne clinic.',
  check_key: 'clé : de {address} (l’adresse avec laquelle partager la feuille)',
  check_key_open:
    'clé : {file} peut être lu par d’autres utilisateurs de cette machine\nLancez : chmod 600 {file}',
  check_token: 'jeton : Google accepte la clé',
  check_read: 'lecture : « {title} » est lisible',
  check_write: 'écriture : {address} peut la modifier',
  check_bin:
    'corbeille : impossible de voir si la feuille est dans la corbeille de Google Drive\nDans la console Google Cloud, ouvrez « APIs & Services », cherchez « Google Drive API » et cliquez sur « Enable ».',
  check_keeper: 'tenue par : cette installation',
  check_keeper_none: 'tenue par : personne encore ; le premier passage l’inscrit',
  check_columns:
    'colonnes : il manque {columns} à {place}\nC’est respecté. Pour les retrouver : clinic-sync connectors repair.',
  check_looks:
    'formats : il manque à {columns} de {place} le format ou l’avertissement d’un onglet neuf ; des zéros peuvent se perdre, des réponses être écrasées\nPour les mettre : clinic-sync connectors repair.',
  check_protection:
    'protection : une plage de {place} nous est fermée\nDans « Données », « Protéger des feuilles et des plages », autorisez l’adresse ci-dessus à la modifier.',
  check_copies:
    'onglets : {tabs} est une copie d’un onglet de clinic-sync et n’est pas tenue à jour\nGardez-la comme trace, ou supprimez-la.',
  check_tabs: 'onglets : {tabs}',
  check_tabs_later: 'onglets : {tabs} ; créés au premier passage : {missing}',
  check_month_first:
    'La feuille de calcul ({locale}) lit 05/01/2027 comme le 1er mai, alors qu’à {zone} on entend le 5 janvier.\nChangez-le sous Fichier, Paramètres, Paramètres régionaux, ou choisissez les jours dans le calendrier ; Message dit chaque jour en toutes lettres.',
  check_locale: 'paramètres régionaux {locale}, fuseau horaire {zone}',
  check_reachable: '{host} répond',
  check_certificate: '{host} répond et a un certificat valide',
  check_unencrypted:
    'Des données de patients partent sans chiffrement\nUtilisez https, ou retirez patient de include.',
  check_short_secret:
    'Le secret fait moins de 24 octets\nCréez-en un avec `openssl rand -base64 24` et mettez whsec_ devant.',
  check_form: 'le formulaire de réservation est à {path} ; il peut être envoyé de là',
  check_form_sites:
    'le formulaire de réservation est à {path} ; il peut être envoyé de là, et des formulaires de {sites}',
  check_no_submission: 'aucune demande n’est encore arrivée',
};
