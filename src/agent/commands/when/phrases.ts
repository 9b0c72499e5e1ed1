/**
 * Words of times in the plain English that grammar.ts reads, Chinese ones among them: a pattern and
 * what stands in its place a line, in this order. `·` is a blank; `$1` is a group, numerals as
 * digits; `#1` the weekday; capitals are names of grammar.ts.
 */
export const phrases = String.raw`
(?<=[a-z\d])(?=HAN|十) → ·
WEEK(HANDAY)(?!次) → ·#1·
(?<=DAY HANDAYS)([一二三四五六]|(?<=[五六、,和及与 ])[日天])(?! ?个?半?(?:[点时号分刻次天]|小时|钟头)|报) → ·#1·
(?<=DAY) {2}(?=DAY\b) → ·,·
(?<=\bat )(ONES|ten|eleven|twelve)[ -](twenty|thirty|forty|fifty)[- ](ONES)\b → $1:$2$3
(?<=\bat )(ONES|ten|eleven|twelve)[ -]fifteen\b → $1:15
(?<=\bat )(ONES|ten|eleven|twelve)[ -]oh?[- ](ONES)\b → $1:0$2
\b(twenty|thirty)[- ](first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b → $1$2th
(?<=\b(?:at|today|tomorrow|DAY) )(ONES|ten|eleven|twelve)[ -](twenty|thirty|forty|fifty)\b(?![- ]ONES) → $1:$20
(?<=\bmonth(?:ly)?,? (?:on )?(?:the )?(?:\w{4,9} and (?:the )?)?)(NTH)\b(?! DAY| (?:week)?day) → $1th
\b(NTH)(?= (?:and (?:the )?(?:NTH) )?of (?:each|every|the|next month|MONTH)) → $1th
\b(TENS)[- ](ONES)\b(?!['’]) → $1$2
\b(TENS)\b(?!['’]) → $10
\b(ONES|ten|eleven|twelve|\w{3,5}teen|zero)\b(?!['’]) → $1
(?<=点)零(HAN)(?![个人次名位份元块万千几多分]) → 0$1
(?<=点)(HAN)十(HAN)(?![个人次名位份元块万千几多]) → $1$2
(?<=点)十(HAN)(?![个人次名位份元块万千几多]) → 1$1
(?<=点)(HAN)十(?!HAN|[个人次名位份元块万千几多]) → $10
(HAN)十(HAN)HANUNIT → $1$2
十(HAN)HANUNIT → 1$1
(HAN)十HANUNIT → $10
十HANUNIT → 10
(HAN)(HAN)(HAN)(HAN)HANUNIT → $1$2$3$4
(零)(HAN)HANUNIT → $1$2
(?<!HAN|十)(HAN)HANUNIT → $1
(?<=[a-z])(?=\d{1,2} ?[点时月]|\d{4}年)|(?<=[a-z]{2})(?=\d{1,2}:\d\d) → ·

\bday after tomorrow\b → in 2 days
\b(?:2mor?row|2moro|tommorow|tomoro|tomoz)\b → tomorrow
\bwensday(s?)\b → wednesday$1
\b(?:evry|evrey|eveyr)\b → every
\btonite\b → tonight
\b12 (?=noon\b|midnight\b) → 
\bnoonish\b → noon
\bonce (?=(?:dai|week|month|quarter|year)ly\b) → 
(?<=\bin )(?:about|around|roughly|approximately|exactly|another) (?=\d|an?\b|half) → 
(?<=\bin )(\d{1,2})h([0-5]?\d)\b → $1 hour $2 minute
(?<!(?:day|end|every|mon|tue|wed|thu|fri|sat|sun)s? )\b(?:in the )?(morning|afternoon|evening)s(?=,? (?:at )?\d) → every $1
(?<=\bat \d{1,2})[,;](?=(?:00|[3-5]\d)\b(?! ?[,&]| and)) → :
([ap])\.m\.?(?![a-z]) → $1m
(?<=\b\d{1,2}(?::[0-5]\d)?)([ap])(?= |,|$) → $1m
(?<=^| )(\d{1,2}(?::[0-5]\d)?)ish\b → at $1
\b(mon|tues?|wed|thu|thurs?|fri|sat|sun)\.(?=,? (?:at )?\d) → $1·
\b(\w{3,6}day)(?= (?:PART)s\b) → $1s
(?<!(?:every|each) )\b(mon|tue|wed|thu|fri|sat|sun)(?= (?:PART)s\b) → every $1
(?<=\b(?:every|each) DAYs?(?: ?,| and|, and| &) )(?:every|each) (?=DAY) → ·
\b(day|week|month|year|hour|minute)(?:['’]s|s['’]) time\b → $1
(?<!(?:once|twice|times) )\ban? week (?:on )?(today|tomorrow|DAY)\b → $1 week
\bnyc? time\b → new york time
\b(?:sf|la) time\b → pacific time
(?<=\d ?[ap]m )([ep]t)(?=,? (?:on|every|today|tomorrow|DAY)\b) → $1 time
\b(every|each) (?=UNIT or so\b) → $1 few·
(?<=UNIT) or so\b → ·sharp
(?<=\b(?:tomorrow|DAY) )first thing(?: in the morning)?(?! (?:to|is|on|we|I)\b) → morning
\bfirst thing(?: on)? (tomorrow|DAY)\b(?: morning\b)? → $1 morning
(?<=^| |tomorrow|today|day)@ ?(?=\d|noon|midday) → ·at·
\bat(?=\d{1,2}(?::\d\d)?(?:[ap]m?)?\b) → at·
(?<=\bat )([01]\d|2[0-3])([0-5]\d)(?: ?h(?:(?:ou)?rs)?)?(?!\d) → $1:$2
(?<=\d:\d\d) ?(?:h|hrs|hours|uhr)\b → ·sharp
(?<![:\d])(\d{1,2}) ?uhr\b → $1:00
(?<=\b(?:today|tomorrow|DAY) )(1[3-9]|2[0-3])h\b → $1:00
\bthis (?=morning|afternoon|evening) → today·
\b(?:this )?coming (?=DAY) → this·
\bnext week,?(?: on)? (DAY)\b → $1 of next week
\b(starting|beginning|from|as of) next week\b(?! on) → $1 monday next week
\b(starting|beginning|from|as of) next month\b(?! on) → $1 next month 1th
\b(starting|beginning|from|as of) next year\b → $1 year@1-01-01
\bup to and including\b → until
\b(eastern|central|mountain|pacific) (?:standard |daylight )?time → $1 time
(?<=\d ?[ap]m )(eastern|central|mountain|pacific)\b(?! (?:time|europe|asia|rim|bank|bike|park|station|team|office)) → $1 time
\b(?:tmrw?|tmw)\b → tomorrow
\btonight\b → today night
\bnightly\b → daily night
\beveryday\b → daily
\bannually\b → yearly
\bbi-?weekly\b → fortnightly
\beom\b → end of month
\b(?:eow|end of (?:the |this )?week)\b → this friday
\beoy\b|\bend of (?:the |this )?year\b → year@0-12-31
\b(?:eod|[ec]ob|end of (?:the )?day|(?:close|end) of business)\b → at 18:00
下班[之以]?前 → ·at 18:00·
\b(?:noon|midday)\b → 12:00pm
\bmidnight\b → 12:00am
[–—〜~] → -
\b(?:business|working|work|week) ?day(s?)\b|\bworkday(s?)\b → weekday$1$2
\b(?:a |one )?fortnight\b → 2 week
\b1st(?= (?:weekday|UNIT|of )) → 1th
\b(?:the )?first(?= (?:weekday|day|DAYs?\b |of )) → 1th
\bsecond(?= (?:DAYs?\b |weekday)) → 2nd
\bthird(?= (?:DAYs?\b |weekday|UNIT)) → 3rd
\bfourth(?= (?:DAYs?\b |weekday)) → 4th
\bfifth(?= (?:DAYs?\b |weekday)) → 5th
\b(every|each) (?:other|alternate|2nd|second)(?= DAYs?\b(?!s? of)) → $1 2 week
\b(every|each) (?:other|alternate|2nd|second)(?= UNIT(?! of)) → $1 2
\b(every|each) (\d{1,2})(?:rd|th)(?= UNIT(?! of)) → $1 $2
\bhalf a day\b → 12 hour
\b(?:a )?couple(?: of)?(?= UNIT) → 2
\b(every|each) (?:1 )?hour and a half\b → $1 90 minute
(?<=\b(?:in|every|each|after) )half(?:-| an?-)?(?=-? ?hour\b) → 0.5
(?<=\b(?:every|each) )quarter[- ]hour\b → 15 minute
(?<=\bin )a quarter[- ]hour\b → 15 minute
\b(?:half an?|(?<!and )a half)(?= UNIT) → 0.5
\b(?:an? )?quarter(?: of)? an hour → 15 minute
\b3 quarters(?: of)? an hour → 45 minute
\ban?(?= UNIT)(?! quarter (?:to|past)) → 1
\b(\d{1,2}) hours? and (?:a|1) quarter\b(?! (?:past|to|of)) → $1.25 hour
\b(\d{1,2}) hours? and 3 quarters\b → $1.75 hour
\b(\d{1,4}) and a half(?= UNIT) → $1.5
\b(\d{1,4}) (UNIT) and a half\b → $1.5 $2
(\d{1,4}) ?o['’]?clock → $1:00
\bhalf (?:past )?(\d{1,2})(?![\d:]) → $1:30
\b(?:a )?quarter (?:past|after) (\d{1,2})(?![\d:]) → $1:15
\b(?:a )?quarter (?:to|(?<=\bat .{0,2}quarter )(?:of|before|till?)) (\d{1,2})(?![\d:]) → $1:-15
\b(\d\d) (?:past|(?<=\bat \d\d )after) (\d{1,2})(?![\d:]) → $2:$1
\b(\d) past (\d{1,2})(?![\d:]) → $2:0$1
(?<=\bat )5 to (\d{1,2})(?![\d:]) → $1:-05
(?<=\bat )(10|20|25) to (\d{1,2})(?![\d:]) → $2:-$1
\b(?<![:.])([1-9]|1[01])(:\d\d)? in the morning\b → $1$2am
\b(?<![:.])([1-9]|1[01])(:\d\d)? in the (?:afternoon|evening)\b → $1$2pm
\b(DAY)s? (DAY)s? (DAY)s?\b → $1, $2, $3
(?<![\d.])(\d{1,2})[.h]([0-5]\d)(?![\d.]|UNIT| ?h(?:ou)?rs?\b) → $1:$2
(?<=at )(\d{1,2})h\b → $1:00

下下个? ?(DAY\b) → ·1 week from $1 of next week·
下个? ?(DAY\b) → ··$1 of next week·
上个? ?(DAY\b) → ·last $1
[本这]个? ?(DAY\b) → ·this week $1
下个?WEEK(?=开始|起) → ·monday of next week·
下下个?WEEK(?!末) → ·in 2 week sharp·
下个?WEEK(?!末) → ·in 1 week sharp·
下个?WEEK末 → ·next weekend·
[这本]个?WEEK末 → ·this weekend·
WEEK末 → ·weekend·

最后[一1]个?(?= ?DAY\b|工作日) → ·the·last·
第([\d一二三四五])个(?= ?DAY\b|工作日) → ··$1th·
的?最后[一1]天 → ·last day·
隔(?= ?DAY\b) → ·every 2 week·
每?隔[1一]?日 → ·every 2 day·
每?隔[1一]?个?(?=[天日]|WEEK) → ·every 2·
每?隔[1一]?个?月 → ·every 2 month·月
每?隔 ?(?=\d) → ·every·
每个?季度 → ·every 3 month·
每逢|逢(?= ?DAY\b)|每个?(?= ?DAY\b| weekend) → ·every·
每[1一]?个?(?:工作|上班)日 → ·every weekday·
工作日(?!后(?![台端面续勤期]))|上班日 → ·weekdays·
每[1一]?[天日]|天天 → ·every day·
每[1一]?个?(?:小时|钟头) → ·every hour·
每[1一]?分钟 → ·every minute·
每[1一]?个?WEEK → ·every week·
每[1一]?个?月 → ·every month·月
每[1一]?年 → ·every year·
(?<=every (?:hour|day|week|month|year) 月?)[1一]次(?!性) → ·sharp·
每(?=[早晚]) → ·every day·
每(?= ?[\d半]) → ·every·

半个月 → ·15天
(?<![:\d])(\d{1,4})个?半(?=个?(?:小时|钟头|月|年)) → $1.5
(?<![点时\d] ?)半个?(?=小时|钟头|年) → ·0.5
(\d{1,4})个?(小时|钟头|年)半(?![价天年月个]) → $1.5$2
(?:再?过)?(\d[\d.]{0,6} ?个?(?:min|分钟?|刻钟|小时|钟头|天|WEEK|月|年|工作日)(?: ?\d{1,4}分钟?)?)[之以]?后 → ·in $1 sharp·
再?过(?= ?\d) → ·in·
(?:连续|持续|为期)(?=\d) → ·for·
共 ?(\d{1,4}) ?次 → ·for $1 times·
3刻钟 → ·45 minute·
2刻钟 → ·30 minute·
[1一]刻钟 → ·15 minute·
(?<=\d) ?个?(?:小时|钟头) → ·hour·
(?<=\d) ?(?:分钟|分(?= )(?<![点时] ?\d\d分)|min(?![a-z])) → ·minute·
(?<=\d) ?个?工作日 → ·weekday·
(?<=\d) ?天 → ·day·
(?<=\d) ?个?WEEK(?!末) → ·week·
(?<=\d) ?个月 → ·month·

(\d{4})年(\d{1,4})月(\d{1,4})[日号]? → $1-$2-$3··
明年(\d{1,4})月(\d{1,4})[日号]? → ·year@1-$1-$2··
今年(\d{1,4})月(\d{1,4})[日号]? → ·year@0-$1-$2··
明年[底末] → ·year@1-12-31·
今?年[底末] → ·year@0-12-31·
(\d)年 → $1 year·
下个?月的?今天 → ·in 1 month sharp·
下个?月(?:[底末]|的? ?last day) → ·end of next month·
[本这]个?月(?:[底末]|的? ?last day) → ·end of month·
下个?月初 → ·next month 1th·
明年(?=开始|起) → ·year@1-01-01·
下个?月(?=开始|起) → ·next month 1th·
下个?月 → ·next month·
[本这]个?月(?= ?\d) → ·this month·
(?<=month 月)月?[底末](?!报) → ·last day·
(?<=every (?:3 )?month 月?月?的?)第[1一] ?(?:天|day ?) → ·1th·
(?<=month 月)月?初(?![一二三四五六七八九十]) → ·1th·
month 月 → ·month·
月[底末](?!报) → ·end of month·
月初(?![一二三四五六七八九十]) → ·1th·
(?<!\d|月[、,和及与] ?)(0?[1-9]|1[0-2])月 ?(\d{1,4})(?! ?[点时:]|\d) ?[日号]? → $1/$2··
(\d{1,2})(?=(?:[、,和及与]\d{1,2}){0,6}[、,和及与]\d{1,2} ?[号日]) → $1th
(\d{1,2}) ?[号日](?![线楼门车机店院馆码称召外角令]) → $1th·
(\d{1,2})月份? → ·in m$1·

(?<![:\d])(\d{1,2}) ?(?:点钟?|时(?![候间差常刻]))半钟?(?![价天年月个成数]) → $1:30·
(?<![:\d])(\d{1,2}) ?点[1一]刻 → $1:15·
(?<![:\d])(\d{1,2}) ?点[3三]刻 → $1:45·
(?<![:\d])(\d{1,2}) ?(?:点|时)零?(\d)分 → $1:0$2·
(?<![:\d])(\d{1,2}) ?(?:点|时)0?(\d\d)(?:分|(?![个人次名位份元块点时\d])) → $1:$2·
(?<![:\d])(\d{1,2}) ?(?:点钟?|时(?![候间差常刻])) → $1:00·
早晚各? ?(\d{1,2}:\d\d) → $1am and $1pm·
差[1一]刻钟?到? ?(\d{1,2}):00 → $1:-15·
差5分钟?到? ?(\d{1,2}):00 → $1:-05·

大后[天日] → ·in 3 day sharp·
前[天日] → ·2 days ago·
昨[天日] → ·yesterday·
今(?:[天日]|儿(?![子童])|(?=[早晚])) → ·today·
明(?:[天日]|儿(?![子童])|(?=[早晚])) → ·tomorrow·
后(?:[天日]|(?=[早晚])) → ·in 2 days sharp·
凌晨 → ·dawn·
清晨 → ·daybreak·
早[上晨]|(?<=(?:today|tomorrow|day) )(?:[1一]?大?早|[1一]早)|早(?= ?\d{1,2}:) → ·morning·
上午 → ·forenoon·
中午 → ·lunchtime·
下午(?!茶)|午后 → ·afternoon·
傍晚 → ·evening·
晚[上间]|夜里|半夜|(?<=(?:today|tomorrow|day) )晚|晚(?= ?\d{1,2}:) → ·night·
除了?(?= ?(?:week|DAY|WEEK)) → ·except·
(?<=except [^,;:]{1,20})(?:[以之]外|外(?= |,|，|$|\d)) → ·sharp·
直到|截至|截止到? → ·until·
(?<=hour {1,2})整点 → ·sharp·
左右|准时|的时候|整(?![理个])|之间|为止 → ·sharp·
从(?= {0,2}(?:[a-z\d]|WEEK)) → ·from·
[到至](?= {0,2}(?:[a-z\d]|WEEK)) → ·to·
(?:或者?|还是)(?= {0,2}(?:[a-z\d]|WEEK)) → ·or·
[哦啊呃]?(?:不对?|算了|不是|改[成为]|更正|说错了)(?:[ ,]{0,3}(?:应该)?是)?(?=[ ,]{0,3}(?:in \d|today|tomorrow|this |DAY|weekend|\d{1,2}:\d\d)) → ·no·
[和与及跟、](?= {0,2}(?:[a-z\d]|WEEK)) → ·and·
(?:dawn|daybreak|morning|forenoon) {1,3}((?:[1-9]|1[01]):\d\d)(?= {0,3}(?:and|,) {0,3}(?:PART)) → ·$1am·
(?:lunchtime|afternoon) {1,3}((?:[1-6]|12):\d\d)(?= {0,3}(?:and|,) {0,3}(?:PART)) → ·$1pm·
(?:evening|night) {1,3}((?:[5-9]|1[01]):\d\d)(?= {0,3}(?:and|,) {0,3}(?:PART)) → ·$1pm·
(?<=:\d\d[ap]m {0,3}(?:and|,) {0,3})(?:lunchtime|afternoon) {1,3}((?:[1-6]|12):\d\d) → ·$1pm·
(?<=:\d\d[ap]m {0,3}(?:and|,) {0,3})(?:evening|night) {1,3}((?:[5-9]|1[01]):\d\d) → ·$1pm·
在(?= {0,2}(?:[a-z\d]|WEEK)) → ·at·
的 → ··

\s+ → ·
 ,(?= \d{4}\b) → ,
(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d) → $3-$2-$1
(?<![\d.])(\d{1,2})\.(\d{1,2})\.(?!\d) → $2/$1
`
