/** Splits a text with `|` into words and phrases. */
/** Words of a list, also as phones write them: without apostrophes. */
const list = (text: string): string[] => {
  const words = text.split('|').map((one) => one.trim())
  return [...new Set(words.flatMap((one) => [one, one.replaceAll("'", '')]))]
}

const objects =
  list(`| it | it all | this | that | all | all of it | all of this | all tasks | everything | the task |
  this task | that task | my task | the current task | the job | this job | the work | the run | the whole thing |
  the request | this request | that request | my request`)
const of = (...verbs: string[]): string[] =>
  verbs.flatMap((verb) => objects.map((object) => `${verb} ${object}`.trim()))

/** Words of people that are understood without a model, in lower case. */
export const said = {
  /** Orders that end the task. The first is that of the Stop button. */
  stop: [
    ...of('stop', 'cancel', 'abort', 'halt', 'terminate'),
    ...of('end', 'kill').filter((order) => order.includes(' ')),
    ...list(`stop working | quit working | stop working on it | stop working on this | stop working on that | stop doing this |
      stop doing that | stop doing it | stop what you are doing | stop what you're doing | stop whatever you're doing |
      stop there | stop here | stop right there | call it off | sotp | stpo | cancle | canel | abort mission | cease | 🛑 | ✋ | ⛔ | ⏹`),
  ],
  /** Words that withdraw a request. They end a task that waits or works for this person. */
  drop: [
    ...list(`never mind | nevermind | nvm | never mind that | never mind this | never mind it | forget it | forget that |
      forget this | forget about it | forget about that | forget about this | enough | that's enough | that is enough |
      that's enough of that | quit | quit it | quit that | no more | don't bother | do not bother | no longer needed |
      not needed anymore | not needed any more | i don't need it anymore | i don't need this anymore |
      i no longer need it | i no longer need this | ignore it | ignore that | ignore this | ignore my request | ignore my last message | disregard | disregard it | disregard that | disregard this |
      scratch it | scratch that | no need anymore | no need any more | it's no longer needed | this is no longer needed | not necessary anymore |
      don't need it anymore | don't need this anymore | we don't need it anymore | we don't need this anymore | that'll do | that will do | enough of this |
      don't continue | do not continue | don't go on | do not go on |
      don't do it anymore | don't do that anymore | leave it | leave it be | let it be`),
    ...of('drop', 'scrap').filter((order) => order.includes(' ')),
  ],
  /** Words that take back what was posted elsewhere. */
  back: list(
    'take it back | take that back | please take it back | undo | undo it | undo that | unsend | unsend it | delete it there',
  ),
  /** Words that pause. */
  hold: list(`hold on | hold it | hold up | hold off | hang on | wait | wait a moment | wait a minute | wait a second |
    wait a sec | wait a bit | wait up | hold on a minute | hold on a sec | hold on a second | hang on a minute | hang on a sec | hang on a second | give me a sec | give me a second | give me a minute |
    not so fast | pause for a moment | pause | pause it | pause this | pause that | pause the task | one moment | one second |
    one sec | just a moment | just a second | just a sec | not yet | hold your horses | time out | timeout`),
  /** Polite and other words around an order that do not change it. */
  around:
    list(`please | pls | plz | kindly | clew | @clew | hey | hi | hello | dear | ok | okay | k | oh | ah | uh | um | er | argh |
    oops | whoa | no | nope | nah | yes | yeah | yep | sorry | apologies | actually | just | so | well | now | right now |
    right away | immediately | at once | asap | for now | for the moment | already | then | thanks | thank you | thx | ta |
    many thanks | thanks a lot | can you | could you | would you | will you | can we | could we | let's | lets |
    let us | you can | you could | you should | you may | you must | we can | we should | i said | i say | i want you to |
    i'd like you to | i would like you to | i need you to | i want to | i'd like to | i need to | we need to | you need to | better | alright |
    all right | do | quickly | quick | fast | again | anymore | any more | altogether | completely | my bad`),
  /** Words behind an order that give a reason, and are no other work. */
  reasons:
    list(`wrong | that | that's | this | it | it's | its | i | i'm | i've | we | we've | not | no | there | the | you |
    you're | because | since | as | too | he | she | they | my | our | bad | already | all | something | somebody |
    someone | nobody | don't | sorry | found | solved | fixed | figured | got | sorted | done`),
  /** Words before an order that put it off to later. */
  conditions: list(
    `if | when | whenever | until | once | after | before | unless | in case | while`,
  ),

  /** Whole answers that approve a call. */
  yes: list(`yes | y | yess | yesss | yep | yup | yeah | ye | yea | aye | ok | okay | okey | k | kk | oki | sure | sure thing | surely | of course |
    certainly | absolutely | definitely | indeed | approve | approved | i approve | approve it | approve this |
    approve that | i approve it | i approve this | approving | agree | agreed | i agree | accept | accepted | i accept |
    allow | allowed | allow it | confirm | confirmed | i confirm | grant | granted | permission granted | go ahead |
    go for it | go on | go | do it | do that | do so | please do | do | proceed | carry on | continue | make it so |
    let's do it | let's go | let's do that | run it | ship it | send it | send them | post it | post this |
    post that | book it | order it | order them | mail it | mail them | publish it | merge it | deploy it | save it | sounds good | sounds great | sounds fine |
    looks good | looks great | looks fine | looks right | lgtm | sgtm | all good | good to go | good | great | perfect |
    excellent | nice | cool | fine | that's fine | that is fine | it's fine | fine by me | fine with me | ok by me |
    ok with me | okay with me | okay by me | good with me | good by me | works | works for me | that works | that's ok |
    that's okay | that's right | that's good | this is fine | this is ok | correct | right | you may | you can |
    yes you may | yes you can | by all means |
    alright | go right ahead | feel free | it's ok | it's okay | i'm fine with it | i'm fine with this |
    i'm ok with it | i'm ok with this | i'm okay with it | i'm okay with this |
    happy with that | i'm happy with that | i'm fine with that |
    i'm ok with that | i'm okay with that | i'm good with that | no problem | no problem at all | no prob | no probs | np |
    no biggie | no sweat | no issue | no issues | no concerns | not a problem | i don't mind | don't mind | i don't see why not | don't see why not |
    no reason not to | can't hurt | no objections | no objection | no worries |
    with pleasure | gladly | +1 | 👍 | 👌 | ✅ | ✔ | ☑ | 💯 | 🆗 | 🙆`),
  /** Whole answers that refuse a call. */
  no: list(`no | n | nope | nah | no way | never | refuse | refused | i refuse | refuse it | reject | rejected | i reject |
    reject it | reject this | deny | denied | decline | declined | i decline | disapprove | disapproved | disagree |
    i disagree | don't | do not | don't do it | do not do it | don't do that | do not do that | don't do this | don't send it |
    do not send it | not ok | not okay | no thanks | no thank you | absolutely not | definitely not | certainly not |
    of course not | not approved | i don't approve | i do not approve | i don't agree | i do not agree | rather not |
    better not | i'd rather not | i would rather not | -1 | 👎 | ❌ | 🚫 | ✖ | 🙅`),
  /** Words beside a yes or a no that change nothing. */
  beside:
    list(`please | pls | plz | kindly | thanks | thank you | thx | ta | cheers | many thanks | thanks a lot | thank you very much |
    clew | @clew | hey | hi | oh | ah | well | then | now | right away | immediately | from me | for me | by me | with me | to me | to send it | to do it |
    from my side |
    from our side | on my side | it | this | that | and | so | just | with it | with that | with this | the call | this call |
    this one | all | here | for now | this time | this once | just this once | for today | for today only | no rush | no hurry | no pressure | don't worry |
    not bad | not bad at all | no need to ask | don't ask | stop asking | don't wait | don't wait for me | take your time | no further questions | 🙏 | 🙂 | 😀 | 😊 | 😃 | 😄 | 🎉 | 🚀 | ❤ | 🔥 | 💪 | 👏 | 🙌 | :) | :-)`),
  /** Whole lines that sound like a yes and are said in doubt or mockery. */
  unmeant: list(
    `yeah right | yea right | ya right | oh right | oh sure | oh great | oh perfect | just great | just perfect | cool it`,
  ),
  /** Words of somebody who has not decided yet. */
  undecided:
    list(`hm | hmm | hmmm | mm | mhm | maybe | perhaps | later | not sure | i'm not sure | i am not sure | unsure | i don't know |
    i do not know | no idea | idk | let me | i'll | i will | i need to | i have to | i want to | i'd like to | give me | thinking |
    still thinking | interesting | one moment | not yet | not now | depends | it depends`),
  /** Words that begin a question. */
  asking:
    list(`what | what's | why | who | who's | whom | whose | which | when | where | how | is | are | was | were | does | did | do you |
    do we | has | have you | can i | can we | could i | could we | should | shall | will | would | explain | tell me | show me |
    describe`),
  /** Words that ask how far the work is. */
  howFar:
    list(`how far | how far is | how far are you | how far are we | how far along | how far along are you | how far along is | how far have you got |
    how far did you get | how is it going | how's it going | how is that going | how is this going | how's this going | any progress |
    any news | any news yet | any update | any updates | what's the status | what is the status | what's the progress | status |
    status update | are you done | are you done yet | done yet | is it done | is it done yet | is this done | is this done yet |
    how long still | how much longer | how much longer will it take | eta | how's it coming along | how is it coming along |
    hows it going | where are we | where are we with this | where are we at | are we there yet | are you still working | are you still working on it |
    still working on it | almost done yet | nearly done yet | is it ready | is it ready yet | ready yet | finished yet | what's taking so long |
    how much is left | what's left | what is left | where do we stand | where are you`),
  /** Words that ask back instead of answering. */
  askingBack:
    list(`why | what is | what are | what do | what does | what did | what's | what would | what will | what for | what else |
    what happens | who is | who are | who's | which is | which are | which one is | which of | how much | how many | how do |
    how does | how is | how are | how would | how long | how far | how come | when is | when do | where is | where are | where's |
    is it | is that | is this | is there | are there | are they | was it | was that | did you | did he | did she | do you | do they |
    do we | do i | does it | does that | does he | does she | have you | has he | has she | can you tell | could you tell |
    can you explain | can you show | could you explain | wdym | how so | like what | such as | remind me what | what's that | explain | tell me more | i don't understand | i do not understand`),
  /** Words that ask back where the line ends in a question mark. */
  askingMarked:
    list(`what | who | whom | whose | which | when | where | how | for | by | in which | in what | at what | on which | on what |
    from which | is | isn't | are | aren't | was | wasn't | were | weren't | do | don't | does | doesn't | did | didn't | has | hasn't |
    have | haven't | had | can | can't | could | couldn't | should | shouldn't | shall | will | won't | would | wouldn't | must |
    may | any | anything | anyone | huh | hm | really | seriously | the | show | you mean | you sure | pardon | sorry | excuse me | come again | say again | meaning |
    cost | price | pros | y | e`),
  /** Words that ask but mean an answer. */
  suggesting: list('what about | how about | what if'),
  /** Words to which every choice will do. */
  anyChoice: list('whatever | whichever | any of them'),
  /**
   * Words that want something else than was asked for: the first ones anywhere, the others at the
   * beginning of a clause.
   */
  otherwise: {
    anywhere:
      list(`but | instead | rather | except | unless | only | without | not | don't | wrong | if | when | after | once | first |
      until | though | however`),
    first:
      list(`make | use | set | change | move | replace | remove | add | put | take | send | book | write | rewrite | skip | leave |
      keep | drop | try | pick | choose | also | with | too | and | go with | switch | say | mention | ask | wait for | let's |
      less | more | fewer | stop | cancel | lower | raise | shorten | correct | fix | update | include | exclude | delete`),
  },

  /** Ordinals in a list of choices, in their order; `last` is the last one. */
  places: list(
    'first | second | third | fourth | fifth | sixth | seventh | eighth | ninth | tenth',
  ),
  last: list('last | last one'),
  /** Words around the number or ordinal of a choice. */
  aroundPlace: list(
    'the | number | no | nr | # | one | please | pls | thanks | thank you | for me | then',
  ),
  /** Words that make a number a place. */
  byPlace: list('option | choice | answer | st | nd | rd | th'),
  /** Words before a choice. */
  choosing:
    list(`i take | i'd take | i'll take | i choose | i want | choose | take | let's take | let's go with | i'd go with |
    i'll go with | go with | i'd say | i think | make it | it's | definitely`),
}
