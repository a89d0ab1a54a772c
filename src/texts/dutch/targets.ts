import type { targetTexts as english } from '../../domain/target-texts.ts';
import type { Translated } from '../catalogue.ts';

export const targets: Translated<typeof english> = {
  target_answered: '{host} antwoordde {answer}.\n{remedy}',
  target_unproven:
    '{host} antwoordde {answer}, maar niet zoals {service}: niemand is ingelicht.\nDaar antwoordt iets anders, zoals de aanmeldpagina van een proxy. Controleer adres en netwerk.',
  heartbeat_unproven:
    '{host} antwoordde {answer}; zo bevestigt geen monitor.\nControleer het adres: kopieer het opnieuw uit de monitor.',
  target_unsure:
    '{host} nam het bericht aan en antwoordde niet.\nKijk of het daar aankwam; het wordt als herhaling nog eens verstuurd.',
  target_plain:
    '{host} nam een bericht niet aan ({answer}), in eenvoudige vorm wel.\nHet noemde alleen de referentie; de rest staat op de pagina.',
  target_content:
    '{host} nam een bericht niet aan ({answer}), ook niet in eenvoudige vorm.\nDe inhoud volgt later nog eens. Controleer voor welk soort doel het adres is.',
  target_busy: 'Het doel krijgt te veel berichten. Tijdelijk: dit bericht wordt vanzelf opnieuw verstuurd.',
  target_broken: 'Het doel heeft zelf een storing. Tijdelijk: het bericht wordt vanzelf opnieuw verstuurd.',
  target_redirect: 'Omleidingen worden niet gevolgd: vul het adres in waarnaar wordt verwezen.',
  target_denied: 'Controleer token of geheim, en of daar geschreven mag worden.',
  target_not_there: 'Het adres bestaat niet of is ingetrokken. Kopieer het opnieuw of maak een nieuw.',
  target_refuses: 'Controleer voor welk soort doel het adres is.',
  slack_archived: 'Het kanaal is gearchiveerd: herstel het, of maak een webhook voor een ander kanaal.',
  slack_gone: 'De webhook is verwijderd: maak in Slack een nieuwe en kopieer het adres.',
  slack_forbidden: 'De workspace staat het niet toe: vraag de beheerder.',
  slack_channel: 'Het kanaal is verwijderd: maak een webhook voor een ander.',
  telegram_chat:
    'Controleer `chat`: voeg de bot toe aan de groep, of laat de persoon de bot één keer schrijven.',
  telegram_out: 'De bot is geblokkeerd of verwijderd: deblokkeer hem, of voeg hem weer toe.',
  telegram_rights: 'Laat de bot in deze chat schrijven: in een kanaal moet hij beheerder zijn.',
  telegram_token: 'Het token is onjuist of ingetrokken: haal het opnieuw bij @BotFather.',
  telegram_topic: 'Het onderwerp is gesloten of verwijderd: corrigeer `thread`, of open het weer.',
  telegram_moved:
    'De groep werd een supergroep; het nieuwe nummer {answer} wordt gebruikt.\nZet het nieuwe nummer in `chat`.',
  teams_off: 'De workflow staat uit of is verwijderd: zet hem aan in Power Automate.',
  ntfy_quota:
    'De daglimiet van dit onderwerp of adres is op: wacht, of gebruik een groter account of een eigen server.',
  mail_refused:
    '{host} weigerde de mail bij {step} ({answer}).\nControleer from en to, en of deze server voor u mag versturen.',
  mail_later:
    '{host} stelde de mail uit bij {step} ({answer}).\nTijdelijk: hij wordt vanzelf opnieuw verstuurd.',
  mail_closed:
    '{host} verbrak de verbinding bij {step}.\nTijdelijk: de mail wordt vanzelf opnieuw verstuurd.',
  mail_silent:
    '{host} antwoordde niet bij {step}.\nDe mail wordt vanzelf opnieuw verstuurd. Blijft het zo, controleer poort en versleuteling: 465 is smtps://, 587 is smtp://.',
  mail_no_smtp: '{host} spreekt daar geen SMTP.\nControleer host en poort: 465 is smtps://, 587 is smtp://.',
  mail_sign_in: '{host} weigerde de aanmelding ({answer}).\nControleer gebruiker en wachtwoord.',
  mail_token:
    '{host} gaf geen token om mee aan te melden ({answer}).\nMeld opnieuw aan en zet het nieuwe refresh-token neer; controleer client_id en client_secret.',
  mail_basic_off:
    '{host} laat programma’s niet meer met een wachtwoord aanmelden ({answer}).\nGebruik `oauth` (docs/notifications.md), of laat een beheerder SMTP AUTH voor deze mailbox toestaan.',
  mail_app_password:
    '{host} vraagt een app-wachtwoord ({answer}).\nMaak er een in het Google-account (Beveiliging, Verificatie in twee stappen, App-wachtwoorden) en gebruik het als wachtwoord.',
  mail_sign_in_needed: '{host} vraagt een aanmelding ({answer}).\nVul user en password in.',
  mail_relay:
    '{host} stuurt onze mail niet door naar anderen ({answer}).\nVul user en password in, of laat de server voor deze machine doorsturen.',
  mail_sender:
    '{host} neemt de afzender niet aan ({answer}).\nZet in from een adres dat dit account mag gebruiken.',
  mail_hello:
    '{host} neemt de naam niet aan waarmee wij groeten ({answer}).\nZet in `hello` een hostnaam die hij aanneemt.',
  mail_blocked:
    '{host} neemt geen mail aan van ons internetadres ({answer}).\nVerstuur via de mailserver van uw provider, met user en password.',
  mail_limit:
    'Bij {host} is een limiet van dit account bereikt ({answer}).\nDe mail wordt vanzelf opnieuw verstuurd. Blijft het zo, vraag de provider om een hogere.',
  mail_no_tls:
    '{host} biedt geen versleuteling, en zonder wordt het wachtwoord nooit verstuurd.\nGebruik smtps:// of een andere poort.',
  mail_tls: '{host} kon niet op versleuteling overgaan.\nControleer zijn certificaat, of geef `ca_file` op.',
  mail_recipient: 'Ontvanger {n} van {all} wordt geweigerd ({answer}).\nCorrigeer het adres onder to.',
  mail_recipient_full:
    'De mailbox van ontvanger {n} van {all} is vol ({answer}).\nDe eigenaar moet ruimte maken; de volgende mail wordt weer geprobeerd.',
  mail_recipient_later:
    'Ontvanger {n} van {all} is uitgesteld ({answer}).\nTijdelijk: de mail aan deze ontvanger wordt vanzelf opnieuw verstuurd.',
  mail_open:
    '{host} neemt mail onversleuteld aan: anderen kunnen hem onderweg lezen.\nZet `tls: required`, of meld aan met user.',
  target_told: 'het laatste bericht kwam aan op {day}',
  target_idle:
    'sinds {day} was er niets te melden; niets toont dus dat het nog werkt\nProbeer het: clinic-sync notify test {name}.',
  target_never: 'er kwam nog geen bericht aan\nProbeer het: clinic-sync notify test {name}.',
  target_owed: 'open sinds {since}, nog niet gemeld: {number}',
};
