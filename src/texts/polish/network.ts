import type { networkTexts as english } from '../../platform/network-texts.ts';
import type { Translated } from '../catalogue.ts';

export const network: Translated<typeof english> = {
  net_private:
    '{name} ma tylko adresy prywatne lub lokalne, a takie są odrzucane{detail}.\nJeśli odbiorca ma tam być, dodaj jego sieć do allow_networks.',
  net_proxy:
    '{name}: brak połączenia przez wychodzące proxy{detail}.\nSprawdź HTTPS_PROXY lub HTTP_PROXY: adres, użytkownika, hasło i czy proxy przepuszcza do tego hosta; albo wpisz host do NO_PROXY.',
  net_no_host: '{name}: nie znaleziono tego hosta{detail}.\nSprawdź nazwę hosta ({setting}) i DNS.',
  net_dns: '{name}: nie udało się ustalić adresu{detail}.\nDNS nie odpowiedział; sprawdź sieć.',
  net_refused: '{name} odmawia połączenia{detail}.\nSprawdź, czy działa, oraz adres i port ({setting}).',
  net_reset: '{name} zrywa połączenie{detail}.\nZajrzyj do jego dziennika i do dziennika proxy po drodze.',
  net_no_connection:
    '{name}: połączenia nie udało się nawiązać na czas{detail}.\nSprawdź adres i port ({setting}), sieć i zapory po drodze.',
  net_slow:
    '{name} nie odpowiada na czas{detail}.\nSprawdź jego obciążenie i dziennik; jeśli jest tylko wolny, zwiększ timeout tam, gdzie jest takie ustawienie.',
  net_no_way: '{name} jest nieosiągalny{detail}.\nSprawdź sieć i zaporę.',
  net_other: '{name} jest nieosiągalny{detail}.\nSprawdź adres ({setting}) i sieć.',
  cert_expired:
    '{name} ma certyfikat, który wygasł{detail}.\nPoproś administratora o odnowienie. Jeśli inni mogą się połączyć, ustaw zegar tej maszyny.',
  cert_early:
    '{name} ma certyfikat, który jeszcze nie obowiązuje{detail}.\nUstaw zegar tej maszyny (NTP); jeśli idzie dobrze, powiadom administratora.',
  cert_name:
    '{name} ma certyfikat na inną nazwę{detail}.\nUżyj nazwy z certyfikatu ({setting}) albo poproś administratora o dodanie brakującej.',
  cert_self_signed:
    '{name} ma certyfikat podpisany samodzielnie{detail}.\nPoproś administratora o certyfikat znanego urzędu albo podaj w {trust} plik tego certyfikatu.',
  cert_authority:
    '{name} ma certyfikat nieznanego urzędu{detail}.\nJeśli to własny urząd albo urząd zapory, która sprawdza TLS, podaj w {trust} plik jego certyfikatu.',
  cert_chain:
    '{name} nie wysyła certyfikatu pośredniego{detail}.\nPoproś administratora o zainstalowanie pełnego łańcucha; przeglądarki radzą sobie bez niego. Jeśli to własny urząd, podaj w {trust} plik jego certyfikatu.',
  cert_revoked: '{name} ma unieważniony certyfikat{detail}.\nPoproś administratora o wymianę.',
  cert_weak:
    '{name} ma certyfikat ze zbyt słabym kluczem lub podpisem{detail}.\nPoproś administratora o wymianę: minimum to 2048 bitów i SHA-256.',
  tls_client:
    '{name} wymaga certyfikatu klienta, a my go nie mamy{detail}.\nPoproś administratora o wpuszczenie tego klienta bez niego.',
  tls_old:
    '{name} obsługuje tylko przestarzałą wersję TLS{detail}.\nPoproś administratora o włączenie TLS 1.2 lub 1.3.',
  tls_no_name:
    '{name} nie ma certyfikatu na tę nazwę{detail}.\nSprawdź nazwę hosta ({setting}); jeśli jest dobra, powiadom administratora.',
  tls_ciphers:
    '{name} nie ma z nami wspólnego szyfrowania albo wymaga certyfikatu klienta{detail}.\nPoproś administratora o włączenie TLS 1.2 lub 1.3 ze zwykłymi szyframi.',
  tls_none: '{name} nie obsługuje tam TLS{detail}.\nSprawdź http lub https oraz port ({setting}).',
  tls_other:
    '{name}: nie udało się uzgodnić bezpiecznego połączenia{detail}.\nPowiadom administratora: przyczyna jest w tamtejszym dzienniku.',
  http_over_tls: '{name} oczekuje tam TLS{detail}.\nWpisz https albo sprawdź port ({setting}).',
  http_none: '{name} nie obsługuje tam HTTP{detail}.\nSprawdź port ({setting}) i co na nim nasłuchuje.',
  http_lines:
    '{name} łamie zasady HTTP: wiersze kończą się samym LF{detail}.\nPowiadom administratora: ten serwer lub proxy przed nim wymaga poprawienia.',
  http_length:
    '{name} łamie zasady HTTP: długość odpowiedzi jest podana dwa razy{detail}.\nPowiadom administratora: ten serwer lub proxy przed nim wymaga poprawienia.',
  http_header:
    '{name} łamie zasady HTTP: w nagłówku jest niedozwolony znak{detail}.\nPowiadom administratora: ten serwer lub proxy przed nim wymaga poprawienia.',
  http_headers:
    '{name} wysyła więcej nagłówków, niż jest czytane{detail}.\nPowiadom administratora: najwyżej 16 kB nagłówków.',
  http_broken:
    '{name} łamie zasady HTTP{detail}.\nPowiadom administratora: ten serwer lub proxy przed nim wymaga poprawienia.',
};
