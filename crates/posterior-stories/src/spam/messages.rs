//! Messages for when the collection is not available, a label and a tab before each.

pub(super) const MESSAGES: &str = "\
spam\tWin a free phone today, text WIN to 80800 now
ham\tAre you home for dinner tonight?
spam\tYou have been chosen for a cash prize of 500 pounds, call 0900 1234
ham\tI'll be late, the train is stuck again
spam\tFree ringtones! Reply YES to get one each week
ham\tCan you bring the book to class tomorrow
spam\tUrgent: your account needs a call to 0906 555 now
ham\tOk, see you at the station at six
spam\tClaim your free holiday, only today, text SUN to 80900
ham\tDid mum call you about sunday
spam\tCongratulations, you won a 1000 prize! Call now to claim
ham\tThanks for the lovely evening, sleep well
spam\tCheap loans, cash in your hand today, reply LOAN
ham\tI don't know yet, will tell you later
spam\tLast chance: your free voucher ends today, call 0900 777
ham\tThe meeting was moved to friday
spam\tHot offers for mobile customers, txt OFFER to 80700
ham\tWhat time do we start tomorrow?
spam\tYou are our lucky winner, claim your phone now
ham\tHappy birthday! Have a great day
spam\tFree entry in our weekly draw, text GO to 80800
ham\tSorry, I was in class and could not call
spam\tYour mobile number won 2000 pounds, urgent, call now
ham\tLet's have lunch when you are back
spam\tNew games for your phone, free this week, reply GAME
ham\tMy phone is dead, call me at home
spam\tGet cash for your old phone today, free post
ham\tI think he said he will come later
spam\tCall 0906 444 to claim a prize, 150p a minute
ham\tDo you want tea or coffee
spam\tCustomer service: you have an unclaimed prize, reply CLAIM
ham\tJust got up, give me ten minutes
spam\tWin tickets for the final, text CUP to 80500
ham\tPlease don't forget the keys
spam\tFree minutes and texts for mobile customers, call 0800 333
ham\tShe is not well, we stay at home today
spam\tThis week only: half price phones, reply PHONE
ham\tHow was the exam? Tell me all
spam\tUrgent! We tried to call you about your cash prize
ham\tWe are at the cinema, come if you can
spam\tYour free trial is ready, text START to 80600
ham\tI miss you, when do you come home
spam\tDouble your cash now, no risk, reply CASH
ham\tOk lah, no problem, see you there
spam\tChosen customers get a free camera, call 0900 222
ham\tHe can't find the way, where are you now
spam\tText LOVE to 80400 and meet new people now
ham\tI left the money on the table
spam\tYou won! Claim your weekend for two, call today
ham\tIt rains here all day, and there?
spam\tPrivate offer: cheap watches, reply WATCH now
ham\tGood night, talk to you tomorrow
spam\tFree credit waits for you, txt CREDIT to 80300
ham\tYes I will ask him and let you know
spam\tFinal notice, claim your 800 prize now, call 0906 111
ham\tThe bus is late, wait for me please
spam\tBest ringtones of the week, text TONE to 80200
ham\tCan we go to the market on saturday
spam\tWin a car! Text CAR to 80100, 150p
ham\tAre we still on for the walk this week
";
