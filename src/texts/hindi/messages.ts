import type { Translated } from '../catalogue.ts';
import type { messages as english } from '../english/messages.ts';

export const messages: Translated<typeof english> = {
  told_opened: { one: 'आपका फ़ैसला चाहिए', other: '{count} बातों पर आपका फ़ैसला चाहिए' },
  told_reminder: { one: 'अब भी आपका फ़ैसला चाहिए', other: '{count} बातों पर अब भी आपका फ़ैसला चाहिए' },
  told_settled: { one: 'निपट गया', other: '{count} बातें निपट गईं' },
  told_trouble: { one: 'गड़बड़ी', other: '{count} जगहों पर गड़बड़ी' },
  told_recovered: { one: 'फिर ठीक है', other: '{count} चीज़ें फिर चल रही हैं' },
  told_silence: { one: 'कोई अनुरोध नहीं', other: '{count} स्रोतों से कोई अनुरोध नहीं' },
  told_test: 'परीक्षण',
  told_since: '{time} से।',
  told_over: 'यह समाप्त हुआ; अवधि: {time}।',
  told_unreached: '{name} तक पहुँचा नहीं जा सका।',
  told_perhaps: 'शायद यह सूचना आपको पहले ही मिल चुकी है।',
  open: 'खोलें',
  kind_probe: 'परीक्षण अनुरोध',
  kind_database: 'डेटाबेस',
  kind_reading: 'पढ़ना',
  kind_schedule: 'समय-सारणी',
  kind_silence: 'चुप्पी',
  need_silence_day: '{name} से {what} से कोई अनुरोध नहीं आया; आम तौर पर दिन में {count} आते हैं।',
  need_silence_week: '{name} से {what} से कोई अनुरोध नहीं आया; आम तौर पर हफ़्ते में {count} आते हैं।',
  need_test: 'यह clinic-sync का परीक्षण है: संदेश यहाँ पहुँचते हैं।',
  need_database_works: 'डेटाबेस फिर चल रहा है।',
  todo_silence:
    'ख़ुद एक भेजकर देखें कि पहुँचता है या नहीं: फ़ॉर्म या वेबसाइट ख़राब हो सकती है। यदि आप बंद हैं, तो क्लिनिक के पृष्ठ पर बताएँ कि कब तक।',
  todo_test: 'कुछ नहीं करना है।',
  todo_booking: '“clinic-sync bookings show {name}” इसे दिखाता है।',
};
