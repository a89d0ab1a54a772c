import type { failureTexts as english } from '../../domain/failure-texts.ts';
import type { Translated } from '../catalogue.ts';

export const failures: Translated<typeof english> = {
  google_sign_in_ended:
    'Google n’accepte plus la connexion : elle a été révoquée ou a expiré.\nConnectez-vous à nouveau : clinic-sync connectors login. Tant que l’application OAuth est en « Testing », Google met fin à chaque connexion au bout de sept jours : publiez-la ou passez-la en « Internal ».',
  google_client_unknown:
    'Google ne connaît pas le client OAuth de la connexion.\nTéléchargez à nouveau le JSON du client, puis : clinic-sync connectors login.',
  google_key_refused:
    'Google n’accepte pas la clé de {address} : elle ou le compte a été révoqué ou supprimé.\nCréez une nouvelle clé pour le compte de service (Keys, Add key, JSON) et remplacez l’ancienne.',
  google_clock:
    'Google n’accepte pas notre connexion, car l’horloge de cette machine n’est pas à l’heure.\nRéglez l’horloge (NTP), puis réessayez.',
  google_account_disabled:
    'Google a désactivé {address}.\nDans la console Google Cloud, activez le compte (IAM & Admin, Service accounts) ou créez-en un autre.',
  google_client_disabled:
    'Google a désactivé {address}.\nDans la console Google Cloud, vérifiez les identifiants du projet ou créez-en d’autres.',
  google_slow_down:
    'Google nous demande de ralentir ({status}).\nRien à faire : cela reprend dans une minute.',
  google_token_refused: 'Google n’a pas accepté notre jeton.\nLe prochain essai en demande un autre.',
  google_reauth:
    'Google demande à {address} de se reconnecter : l’organisation l’exige toutes les quelques heures.\nConnectez-vous : clinic-sync connectors login. Un compte de service l’évite, ou une exception pour l’application accordée par l’administrateur Google.',
  google_client_unauthorized:
    'Google ne laisse pas ce client se connecter en tant que {address} : il est supprimé, ou prévu pour un autre type de connexion.\nCréez un client OAuth de type Application de bureau (ou une nouvelle clé), puis : clinic-sync connectors login.',
  google_project_suspended:
    'Google a suspendu le projet Cloud de {address}.\nLisez l’e-mail de Google à son propriétaire et faites appel dans la console Google Cloud, ou utilisez un compte d’un autre projet.',
  google_project_gone:
    'Le projet Cloud de {address} est supprimé.\nRestaurez-le sous 30 jours dans la console Google Cloud (IAM et administration, Gérer les ressources), ou créez un compte dans un autre projet.',
  google_billing:
    'La facturation est désactivée pour le projet Cloud de {address}, et Google l’exige.\nActivez-la dans la console Google Cloud, ou utilisez un compte d’un autre projet.',
  google_address_blocked:
    'Google refuse les appels venant de l’adresse réseau de cette machine.\nCherchez les restrictions d’adresse du client et les niveaux d’accès de l’organisation, et autorisez-y cette adresse.',
  google_other_reason:
    'Google l’a refusé à {address} : {reason}.\nCherchez cette raison dans la documentation de Google, ou demandez à votre administrateur Google.',
  google_no_project:
    'Google ne sait pas à quel projet appartiennent nos appels.\nLancez : gcloud auth application-default set-quota-project PROJECT, avec un projet où l’API Google Sheets est activée.',
  google_scope:
    'La connexion de {address} ne couvre pas les feuilles de calcul.\nConnectez-vous pour elles : clinic-sync connectors login, ou {login}. Une machine virtuelle de Google a besoin de la portée {scope}.',
  google_api_off:
    'L’API Google Sheets est désactivée dans le projet du compte de service.\nDans la console Google Cloud, ouvrez « APIs & Services », cherchez « Google Sheets API » et cliquez sur « Enable ».',
  google_drive_full:
    'Le Google Drive du propriétaire de la feuille est plein.\nFaites-y de la place (aussi dans Gmail et Photos), ou confiez la feuille à quelqu’un qui en a.',
  google_policy:
    'Les règles de votre organisation chez Google l’interdisent à {address}.\nDemandez à votre administrateur Google de l’autoriser, ou connectez-vous comme membre de l’organisation : clinic-sync connectors login.',
  google_read_only:
    '{address} peut voir la feuille de calcul, mais pas la modifier.\nPartagez-la avec cette adresse comme éditeur.',
  google_not_shared:
    'La feuille de calcul n’est pas partagée avec {address}.\nPartagez-la avec cette adresse comme éditeur.',
  google_no_spreadsheet:
    'Aucune feuille de calcul n’a cet identifiant : il est mal saisi, ou la feuille a été supprimée.\nCopiez son adresse du navigateur dans `spreadsheet` ; regardez dans la corbeille de Google Drive.',
  google_typed_columns:
    'Google refuse nos listes déroulantes et cases à cocher là où quelqu’un a créé un tableau à colonnes typées.\nRien n’est perdu : les noms peuvent être saisis. Pour les retrouver, reconvertissez ce tableau en données sans mise en forme.',
  google_protected:
    'Une partie de la feuille de calcul est protégée contre {address}.\nDans « Données », « Protéger des feuilles et des plages », autorisez cette adresse à modifier ; tout le reste est tenu à jour.',
  google_full:
    'La feuille de calcul est pleine : Google permet dix millions de cellules.\nSupprimez des lignes vides, des colonnes ou d’anciens onglets, ou donnez à clinic-sync une feuille de calcul à part.',
  google_tab_gone: 'Un onglet a été supprimé.\nIl est créé à nouveau.',
  google_excel:
    'Le fichier est un classeur Excel dans Google Drive, pas une feuille Google.\nOuvrez-le, choisissez « Fichier », « Enregistrer au format Google Sheets », puis utilisez l’adresse du nouveau fichier.',
  google_changed: 'La feuille de calcul a été modifiée au même moment.\nElle est relue.',
  google_refused:
    'Google a refusé notre demande ({words}).\nC’est un défaut du connecteur ; signalez-le avec l’heure.',
  google_cell_refused:
    'Google refuse ce que clinic-sync y écrit{cell} : {words}.\nAnnulez ce qui y a été changé à la main en dernier (règle, tableau, fusion, protection) ; un nouvel essai suit dans les cinq minutes.',
  google_unreachable:
    'Google n’a pas pu être joint{code}.\nSi cela dure, vérifiez le réseau et qu’un pare-feu laisse passer sheets.googleapis.com et oauth2.googleapis.com.',
  google_certificate:
    'Pas de connexion sûre à Google{code}.\nQuelque chose répond à sa place en chemin : laissez le pare-feu ou le proxy transmettre Google sans inspection, ou indiquez dans NODE_EXTRA_CA_CERTS le certificat de son autorité de certification.',
  google_redirect:
    'Google a répondu par une redirection ({status}), qui n’est pas suivie.\nSi cela dure, un proxy ou un pare-feu répond peut-être à sa place.',
  google_web_page:
    'Une page web ({status}) est revenue à la place de Google.\nSi cela dure, laissez passer sheets.googleapis.com et oauth2.googleapis.com par le proxy, le pare-feu ou le portail de connexion de ce réseau.',
  google_odd_answer:
    'Ce qui est revenu à la place de Google ({status}) n’est pas ce qui était demandé ; rien n’en a été utilisé.\nSi cela dure, cherchez un proxy ou un pare-feu qui répond à la place de Google.',
  google_status: 'Google a répondu {status}.\nUn nouvel essai suit.',
  sheet_of_another:
    'La feuille de calcul est tenue par une autre installation de clinic-sync ({name}) ; rien n’y est écrit et aucune réservation n’en est prise.\nSi celle-là ne tourne plus (ou a perdu sa base), mettez `adopt: {name}` et redémarrez.',
  folder_denied:
    'Pas le droit d’écrire dans {place}.\nLaissez l’utilisateur {user} y lire et écrire (propriétaire ou options du volume), ou choisissez un autre dossier.',
  folder_read_only:
    '{place} est sur un système de fichiers en lecture seule.\nMontez le volume en écriture, ou choisissez un autre dossier.',
  folder_is_file:
    '{place} ne peut pas servir de dossier : un fichier est à sa place.\nDéplacez ce fichier, ou choisissez un autre dossier.',
  share_away:
    'Le partage {place} n’est pas monté : rien n’y est écrit.\nRemontez-le. Si les fichiers doivent rester là sans lui, lancez clinic-sync connectors repair.',
  inbox_away:
    '{place} est vide, alors que des fichiers y ont déjà été pris : le partage n’est sans doute pas monté.\nRemontez-le. Si le dossier doit être vide, créez-y le dossier done.',
  disk_full: 'Plus de place pour {place}.\nLibérez de la place sur ce disque ; l’écriture reprend ensuite.',
  write_failed: 'L’écriture dans {place} a échoué{code}.\nVérifiez le disque ou le partage réseau.',
  file_in_use:
    '{place} n’a pas pu être remplacé{code}.\nFermez-le là où il est ouvert, ou laissez clinic-sync le remplacer ; les autres fichiers sont à jour.',
  receiver_rejects:
    'Le destinataire a répondu {status}.\nRegardez dans son journal : il n’accepte pas cet événement.',
  receiver_denies: 'Le destinataire a répondu {status}.\nVérifiez le secret et les en-têtes des deux côtés.',
  receiver_clock:
    'Le destinataire a répondu {status}, et l’horloge de cette machine diffère de la sienne de {minutes} min.\nRéglez l’horloge (NTP) : une signature ne vaut que quelques minutes.',
  receiver_not_there: 'Le destinataire a répondu {status}.\nVérifiez l’url : il n’a rien à cette adresse.',
  receiver_no_post: 'Le destinataire a répondu {status}.\nVérifiez l’url : il n’y accepte pas POST.',
  receiver_gone:
    'Le destinataire a répondu {status}.\nIl ne veut plus d’événements. Retirez le connecteur, ou reprenez-le si c’est une erreur.',
  receiver_too_large:
    'Le destinataire a répondu {status}.\nPermettez-lui des contenus plus grands, ou mettez thin: true.',
  receiver_slow_down: 'Le destinataire a répondu {status}.\nRéglez rate sur ce qu’il permet.',
  receiver_redirect:
    'Le destinataire a répondu {status}.\nLes redirections ne sont pas suivies : mettez la nouvelle adresse dans url.',
  receiver_broken:
    'Le destinataire a répondu {status}.\nIl est lui-même en panne ; regardez dans son journal.',
  receiver_web_page:
    'Le destinataire a répondu {status} par une page web, ce qu’il n’avait jamais fait.\nVérifiez que l’url mène encore à lui : son domaine a peut-être été repris, ou un portail répond à sa place.',
  receiver_status: 'Le destinataire a répondu {status}.',
  paused_by: 'Mis en pause par {who}.',
  paused_by_person: 'Mis en pause par quelqu’un.',
  paused_outage:
    'Rien n’a pu être remis pendant un jour ({detail}). Rien n’est perdu ; un essai a lieu toutes les heures.',
};
