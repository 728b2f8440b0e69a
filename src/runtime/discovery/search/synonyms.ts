import { tokenize } from "./terms.js";

/**
 * Groups of words that stand for each other in requests, one group per line. Everyday words for
 * acts and things, none of one trade.
 */
const groups = `
list find search show display view browse look see lookup
create add make new insert register build generate
create open
create setup
create start launch
create post
create schedule
create publish
create write
delete remove erase destroy drop discard clear purge wipe trash
delete empty flush purge clear
remove kick expel evict exclude
remove detach unlink disconnect unassign dissociate
remove revoke unshare withdraw
update edit change modify set replace adjust alter
update rename
update configure
update mark
update move relocate
update transfer reassign handover
update increase decrease scale resize raise lower bigger smaller grow shrink
send submit publish deliver post notify tell announce inform
send message write
share publish
share access permission collaborator collaboration acl grant allow rule
share invite
access permission right role privilege
grant give
invite add
attach connect join link mount associate
cancel abort stop terminate end void revoke
cancel unsubscribe
stop pause halt suspend
stop shutdown kill
stop expire
end close finish complete finalize conclude expire terminate
start begin launch run resume play boot
run execute trigger dispatch invoke start
trigger event
restart reboot rerun retry reset relaunch
rebuild reinstall recreate
rerun redo again repeat
restore recover undelete revert rollback undo unarchive reactivate bring
restore deleted trash
deactivate disable suspend inactive deactivated lock block
deactivate remove
free busy available availability
agenda calendar event
recurring repeating instance
invite attendee participant guest
reschedule update move
activate enable reactivate unlock unblock active
ban block suspend
mute silence snooze quiet suppress
approve accept confirm acknowledge allow
approve review
reject decline deny refuse dismiss
assign attach give
download export retrieve content archive
upload import attach
copy duplicate clone fork
merge combine join unify
move transfer
archive close deactivate retire
login signin authenticate session
logout signout session terminate
password credential secret
token key credential secret
image picture photo logo icon avatar thumbnail poster artwork
image export render
cover image
user person people member account profile who colleague coworker employee someone anyone everybody engineer participant
user customer client
user contact
user email
participant attendee attended attendance guest
registrant registration attendee signup
company organization business enterprise workspace
colleague collaborator member
team group
group channel
comment review feedback note remark annotation reply
reply thread answer response
react reaction emoji
similar like related recommendation suggestion recommended
like favorite save star bookmark
popular top best trending favorite most
latest newest recent last new current
recent lately recently history yesterday
current now currently present
rating rated score rank vote
price cost amount fee plan
cost billing usage spend
owe balance due unpaid outstanding
money balance fund
buy purchase order
pay payment charge
refund reimburse return moneyback
invoice bill billing
discount coupon promotion off
subscription plan membership
payment checkout
dispute chargeback
file document attachment
file content
folder directory
message chat text mail
message post write wrote
announcement message notice
put add set place
channel room conversation chat
conversation thread
meeting call event appointment
call phone dial
phone number sms telephone
calendar schedule
event meeting appointment
tag label keyword topic category genre
task todo assignment
job task run
issue ticket bug problem
incident outage alert problem page
pull request merge change
status state health condition
status online presence available
date time when schedule
birthday birth born
place location address where venue
shop store location
country region
count number total many much quantity
history log event activity audit timeline record
log output print
happen happened event log
app application
config configuration setting preference option
variable token
info information detail about
statistic analytics metric usage report insight
metric measure cpu memory load performance
mean average aggregate
usage stat used consumption
admin administrator owner moderator
owner admin
auth authentication authorization
server machine host instance vm node
service server
container instance
cluster node
replica copy
disk volume storage space
storage quota
dns domain record
record entry row item
port firewall rule
webhook notification subscription callback hook
notification alert
alert alarm warning
link url
public external shared
private internal restricted
private visibility
deploy deployment release rollout
release version publish
rollout gradual percentage traffic
version revision history
previous earlier past former
next upcoming future following
upcoming scheduled
queue waiting
pending waiting open
queued scheduled pending
movie film
show series tv
actor cast star credit
director crew directed credit
cast credit crew
actress actor cast
author writer
song track music
music playback player
singer artist musician band
listen listened play heard
hear listen
album record
podcast show
device speaker
volume loud
video clip
game match
shift schedule rota
resolve close solve fix
acknowledge acknowledged
duplicate merge
subscribe follow watch
follower subscriber
reschedule postpone delay move
remind reminder
description about summary
name title
nickname nick name
language locale
translate translation
signature sign signing
answer reply
poll vote
winner result
search query filter
size resize
template preset
form survey
order purchase
ship shipping shipment delivery
deliver delivery shipping
warehouse inventory stock
product item good article
cart basket
customer buyer shopper
lead prospect
deal opportunity
course class lesson
student learner pupil
book reservation booking reserve
flight trip journey
ticket booking
patient person
weather forecast
temperature weather
test check verify validate
verify confirm validation
check inspect status
inspect detail
scan check
backup snapshot
restore backup
employee staff worker
boss manager supervisor
salary pay wage
absence leave vacation
policy rule
component element
font style
developer dev
export render image
program process
registry repository
erase permanent
permanent forever
temporary ephemeral
`;

/** Stems with about the same meaning, by stem. */
const synonymsByStem = new Map<string, ReadonlySet<string>>();
for (const line of groups.trim().split("\n")) {
  const group = [...new Set(tokenize(line))];
  for (const term of group) {
    const known = synonymsByStem.get(term) ?? new Set();
    synonymsByStem.set(term, new Set([...known, ...group.filter((other) => other !== term)]));
  }
}

const none: ReadonlySet<string> = new Set();

/** Stems with about the same meaning as a stem. */
export function synonymsOf(stem: string): ReadonlySet<string> {
  return synonymsByStem.get(stem) ?? none;
}
