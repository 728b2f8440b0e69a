import { describe, expect, it, test } from "vitest";
import { classifyOperation } from "../../../src/plan/classify.js";
import { nameTools } from "../../../src/plan/names/index.js";
import { plan } from "../../../src/plan/index.js";
import type { Operation } from "../../../src/model/types.js";
import { api, content, ok, operation, parameter } from "../fixtures.js";

const list = { responses: [ok({ type: "array", items: { type: "object" } })] };
const body = {
  body: {
    required: true,
    contents: [content({ type: "object", required: ["a"], properties: { a: { type: "string" } } })],
  },
};

function namesOf(operations: readonly Operation[], namespace?: string): string[] {
  const subjects = operations.map((one) => classifyOperation(one, {}));
  const names = nameTools(subjects, namespace);
  return subjects.map((subject) => names.get(subject)!.name);
}

describe("names from operationIds", () => {
  it.each([
    { id: "listPets", at: "GET /pets", expected: "list_pets" },
    { id: "getPetList", at: "GET /pet", expected: "list_pets" },
    { id: "PaginatePets", at: "GET /pets", more: list, expected: "list_pets" },
    { id: "getWishList", at: "GET /lists/{id}", expected: "get_wish_list" },
    { id: "getAllPets", at: "GET /shop/inventory", expected: "list_pets" },
    {
      id: "getFeedbacks",
      at: "GET /feedback",
      more: { summary: "Get feedbacks", description: "Returns a list of feedbacks." },
      expected: "list_feedbacks",
    },
    {
      id: "getFeedbackDetails",
      at: "GET /feedback",
      more: { summary: "Get details", description: "Returns a list of feedbacks." },
      expected: "get_feedback_details",
    },
    {
      id: "getShopsByTag",
      at: "GET /tags/{id}/shop",
      more: { summary: "Find shops", description: "Returns a list of shops of a tag" },
      expected: "list_shops_by_tag",
    },
    {
      id: "getTagsByVideoId",
      at: "GET /videos/{videoId}/tags",
      more: list,
      expected: "list_video_tags",
    },
    { id: "getVideoStatusById", at: "GET /videos/{id}/status", expected: "get_video_status" },
    {
      id: "getProfileByAccountId",
      at: "GET /slots/profile/{accountId}",
      expected: "get_profile_by_account_id",
    },
    { id: "students_me_retrieve", at: "GET /students/me", expected: "retrieve_my_student" },
    { id: "postactor", at: "POST /actoren", more: body, expected: "create_actor" },
    { id: "delbijlage", at: "DELETE /bijlagen/{id}", expected: "delete_bijlage" },
    { id: "Get Shop Admins", at: "GET /get/shop-admin/all", expected: "list_shop_admins" },
    {
      id: "Get oAuth Clients",
      at: "POST /clients",
      more: { summary: "Delete oAuth Clients" },
      expected: "delete_oauth_clients",
    },
    {
      id: "getChannelFunction",
      at: "GET /functions/{id}",
      more: list,
      expected: "get_channel_function",
    },
    {
      id: "getChannelFunction",
      at: "GET /functions/{id}",
      more: { ...list, summary: "Get functions of a channel" },
      expected: "list_channel_function",
    },
    {
      id: "calcFenceLength",
      at: "GET /fences/{id}/length",
      more: { summary: "Calculates the length of a fence" },
      expected: "calculate_fence_length",
    },
    {
      id: "CountryAirportList_list",
      at: "GET /airports",
      more: list,
      expected: "list_country_airports",
    },
    { id: "V1ShopPensGet_GetPen", at: "GET /shop/pens/{id}", expected: "get_shop_pen" },
    { id: "headPenFile", at: "HEAD /pens/{id}/file", expected: "check_pen_file" },
    { id: "pumpDisengage", at: "POST /pumps/{id}/disengage", expected: "disengage_pump" },
    {
      id: "getUsersUsernameUsername",
      at: "GET /users/username/{username}",
      more: { summary: "Check if a username is available" },
      expected: "check_user_by_username",
    },
    {
      id: "ToolByName_Get",
      at: "GET /Tools/ByName/{name}",
      more: list,
      expected: "list_tools_by_name",
    },
    {
      id: "updateHive",
      at: "PATCH /hives/{id}",
      more: { summary: "Perform a partial update on a hive" },
      expected: "update_hive",
    },
    { id: "Package_Search", at: "GET /Package/Search", more: list, expected: "search_packages" },
    { id: "Search_Search", at: "GET /v3/search/{term}", expected: "search" },
    {
      id: "StatsSplitByTeam",
      at: "GET /StatsSplitByTeam/{season}",
      more: list,
      expected: "list_stats_split_by_team",
    },
    {
      id: "OrderItemsDetailedInfo",
      at: "GET /orders/{id}/items",
      more: { ...list, tags: ["Detailed Info"] },
      expected: "list_order_items",
    },
    { id: "seeOrder", at: "GET /orders/{id}", expected: "get_order" },
    { id: "orderDetails", at: "GET /orders/details", more: list, expected: "get_order_details" },
    {
      id: "assess_batch",
      at: "POST /batch/rating",
      more: { summary: "Assess a batch" },
      expected: "assess_batch",
    },
    {
      id: "list_pet_resources",
      at: "GET /pets/{id}/resources",
      more: list,
      expected: "list_pet_resources",
    },
    { id: "Pets_GetStatisticsSingle", at: "GET /pets/{id}/all", expected: "get_pet_statistics" },
    {
      id: "AuthResetPin",
      at: "POST /auth/reset-pin",
      more: { summary: "Ask for a new PIN" },
      expected: "reset_auth_pin",
    },
    {
      id: "updatePolicies",
      at: "POST /update/policies",
      more: { summary: "Trigger update of policies" },
      expected: "update_policies",
    },
    {
      id: "makeUserKey",
      at: "POST /makeUserKey",
      more: { summary: "Generate a user key" },
      expected: "make_user_key",
    },
    { id: "v1petspet_idvisits", at: "GET /v1/pets/{pet_id}/visits", expected: "list_pet_visits" },
    { id: "Runs_ForRun", at: "GET /v3/runs/{run_ref}", expected: "get_runs_for_run" },
    { id: "Routes_OneOrMoreRoutes", at: "GET /v3/routes", more: list, expected: "list_routes" },
    { id: "ProductsApi_Count", at: "POST /ProductsApi/Count", expected: "count_products" },
    { id: "getListOfPets", at: "GET /pets/names", expected: "list_pets" },
    { id: "creerUtilisateur", at: "POST /utilisateurs", expected: "create_utilisateur" },
    { id: "listerFactures", at: "GET /factures", more: list, expected: "list_factures" },
    { id: "supprimerFacture", at: "DELETE /factures/{id}", expected: "delete_facture" },
    { id: "envoyerFacture", at: "POST /factures/{id}/envoi", expected: "send_facture" },
    { id: "remover", at: "DELETE /usuario/{id}", expected: "delete_usuario" },
    { id: "obtenerMovimientoPorId", at: "GET /inventario/{id}", expected: "get_movimiento" },
    { id: "guardarVenta", at: "POST /ventas", expected: "save_venta" },
    { at: "POST /usuarios/{id}/activar", expected: "activate_usuario" },
    {
      id: "login",
      at: "POST /v1/auth/login",
      more: { summary: "Login de usuário" },
      expected: "login",
    },
    // Writing verbs in nouns of a GET.
    {
      id: "groupInviteLink",
      at: "GET /group/invite-link",
      more: { summary: "Group Invite Link" },
      expected: "get_group_invite_link",
    },
    {
      id: "CustomersController_reject",
      at: "PATCH /customers/{id}/kyc/reject",
      more: { summary: "Rejeitar KYC" },
      expected: "reject_customer_kyc",
    },
    { id: "factureAktualisieren", at: "PUT /x/{id}", expected: "add_facture_aktualisieren" },
    // A GET gets what its developers call a request.
    {
      id: "requestUserRoles",
      at: "GET /users/{id}/roles",
      more: list,
      expected: "list_user_roles",
    },
    {
      id: "queue_v0_0_38_get_jobs",
      at: "GET /queue/v0.0.38/jobs",
      more: list,
      expected: "list_queue_jobs",
    },
    { id: "createJob.v1.2", at: "POST /v1.2/jobs", expected: "create_job" },
    {
      id: "Get_default_voice__v1_voices_default_get",
      at: "GET /v1/voices/default",
      expected: "get_default_voice",
    },
    {
      id: "delete_history_item",
      at: "DELETE /history/{history_item_id}",
      expected: "delete_history_item",
    },
    {
      id: "listContributor",
      at: "GET /contributor",
      more: { description: "Return a collection of contributors." },
      expected: "list_contributors",
    },
    {
      id: "getWebhookByUser",
      at: "GET /webhooks/user/{userId}",
      more: { ...list, summary: "Get all webhooks of a user." },
      expected: "list_webhooks_by_user",
    },
    // Words of the summary that an identifier writes together.
    {
      id: "Getpricesonatable",
      at: "GET /tables/{id}/prices",
      more: { ...list, summary: "Get fixed prices on a table" },
      expected: "list_prices_on_table",
    },
    { id: "Topics_List2", at: "GET /v1beta/topics", more: list, expected: "list_topics" },
    {
      id: "search",
      at: "GET /v1/{namespace}/search/",
      more: { summary: "Get a search results" },
      expected: "search",
    },
    { id: "doShareContent", at: "POST /content", expected: "share_content" },
    { id: "setStickerSet", at: "POST /setStickerSet", expected: "set_sticker_set" },
    {
      id: "StopPoint_GetByGeoPoint",
      at: "GET /StopPoint",
      expected: "get_stop_point_by_geo_point",
    },
    {
      id: "Place_Get",
      at: "GET /Place/{id}",
      more: { ...list, summary: "Gets the place with the given ID." },
      expected: "get_place",
    },
    {
      id: "Search_MetaCategories",
      at: "GET /Search/Meta/Categories",
      more: { ...list, summary: "Gets the available search categories." },
      expected: "list_search_meta_categories",
    },
    { id: "locateIp", at: "GET /geoip", expected: "locate_ip" },
    // The path names the thing.
    { id: "consultarList", at: "GET /consultar", more: list, expected: "list_consultars" },
    { id: "patch.one", at: "GET /patches/{id}", expected: "get_patch" },
    // A POST that reads: `search` stays the verb.
    {
      id: "print_labels",
      at: "POST /print/labels",
      more: { summary: "Get the labels", responses: [ok({ type: "object" })] },
      expected: "print_labels",
    },
    // The resource of the path, although its first word is a verb.
    {
      id: "StopPoint_Direction",
      at: "GET /StopPoint/{id}/DirectionTo/{to}",
      more: { summary: "Returns the direction" },
      expected: "get_stop_point_direction",
    },
    {
      id: "SyncPlayNextItem",
      at: "POST /SyncPlay/NextItem",
      more: { summary: "Request next item in SyncPlay group." },
      expected: "request_sync_play_next_item",
    },
    {
      id: "creditIncomePrecheck",
      at: "POST /credit/income/precheck",
      more: { summary: "Check income eligibility" },
      expected: "check_credit_income_precheck",
    },
    {
      id: "adminSearchUsers",
      at: "GET /admin/users",
      more: { ...list, summary: "Search users according filter conditions" },
      expected: "search_admin_users",
    },
    // The ID of the path at the end.
    { id: "get_user_name", at: "GET /users/{name}", expected: "get_user_name" },
    { id: "settings_update", at: "GET /settings/update", expected: "get_setting_update" },
    // The number of the text.
    {
      id: "Line_Route",
      at: "GET /Line/Route",
      more: { ...list, summary: "Get all valid routes" },
      expected: "list_line_routes",
    },
    // The object of the text, which has no word of the path.
    {
      id: "operationsDelete",
      at: "POST /operations/delete",
      more: { summary: "Delete objects in path" },
      expected: "delete_objects",
    },
    {
      id: "Check into an item",
      at: "POST /checkin",
      more: { summary: "Check into an item" },
      expected: "check_into_item",
    },
    { id: "patch.all", at: "GET /patches", more: list, expected: "list_all_patches" },
    { id: "zipVm", at: "POST /vms/{id}/zip", expected: "zip_vm" },
    { id: "avatarUser", at: "POST /users/{id}/photo", expected: "create_avatar_user" },
    {
      id: "stripe_can_more_servers",
      at: "POST /stripe/can_more_servers",
      expected: "check_stripe_can_more_servers",
    },
    {
      id: "issues/list",
      at: "GET /issues",
      more: { ...list, summary: "List issues assigned to the authenticated user" },
      expected: "list_assigned_issues",
    },
    {
      id: "list-my-issues",
      at: "GET /issues",
      more: { ...list, summary: "List issues assigned to the authenticated user" },
      expected: "list_my_issues",
    },
    {
      id: "relay/get",
      at: "GET /relay",
      more: { ...list, summary: "List reports of a token that was shared with you" },
      expected: "list_relays",
    },
    {
      id: "ToolsController_uploadPhoto_id",
      at: "POST /tools/{id}/photos",
      expected: "upload_tool_photo",
    },
    { id: "cities_getv1_v1_cities_get", at: "GET /v1/cities", more: list, expected: "list_cities" },
    {
      id: "requestPasswordReset",
      at: "POST /users/password-reset",
      expected: "request_password_reset",
    },
    {
      id: "GetalistofReviews",
      at: "GET /reviews",
      more: { ...list, summary: "Get a list of reviews" },
      expected: "list_reviews",
    },
    {
      id: "GetReviewbyReviewId",
      at: "GET /review/{reviewId}",
      more: { summary: "Get review by review ID" },
      expected: "get_review",
    },
    { id: "del-user", at: "POST /del", expected: "delete_user" },
    { id: "generated::WdKqVzTBmXcPqaLe", at: "GET /user", expected: "get_user" },
    { id: "trees_export_retrieve", at: "GET /trees/export/", expected: "export_trees" },
    {
      id: "report.overdue",
      at: "GET /reports/overdue",
      more: list,
      expected: "list_overdue_reports",
    },
    {
      id: "getTime",
      at: "GET /time",
      more: { ...list, summary: "Get the service time" },
      expected: "get_time",
    },
    {
      id: "get_related_tags",
      at: "GET /related_tags/{tag}",
      more: { summary: "Get related tags" },
      expected: "get_related_tags",
    },
    {
      id: "RentalsController_rent",
      at: "POST /rentals",
      more: { summary: "Rent a tool" },
      expected: "rent_tool",
    },
    { id: "save_1", at: "POST /sailings", more: body, expected: "save_sailing" },
    {
      id: "updateDeviceDetails",
      at: "GET /devices/{id}/resetToken",
      more: { summary: "Reset a device's token" },
      expected: "reset_device_details",
    },
    { id: "getPets", at: "GET /pets", more: list, expected: "list_pets" },
    { id: "getPetById", at: "GET /pets/{petId}", expected: "get_pet" },
    { id: "get-pet", at: "GET /pets/{petId}", expected: "get_pet" },
    { id: "pets.list", at: "GET /pets", more: list, expected: "list_pets" },
    {
      id: "issues/list-for-repo",
      at: "GET /repos/{owner}/{repo}/issues",
      more: list,
      expected: "list_issues_for_repo",
    },
    { id: "repos/get", at: "GET /repos/{owner}/{repo}", expected: "get_repo" },
    {
      id: "endUserLicenses-get_instance",
      at: "GET /endUserLicenses/{id}",
      expected: "get_end_user_license",
    },
    {
      id: "betaGroups-builds-get_to_many_related",
      at: "GET /betaGroups/{id}/builds",
      more: list,
      expected: "list_beta_group_builds",
    },
    {
      id: "betaGroups-builds-create_to_many_relationship",
      at: "POST /betaGroups/{id}/relationships/builds",
      expected: "create_beta_group_build_relationship",
    },
    {
      id: "api_alert-log_get_collection",
      at: "GET /api/alert-log",
      more: list,
      expected: "list_alert_logs",
    },
    {
      id: "Test gemfile.lock file",
      at: "POST /test/rubygems",
      expected: "test_gemfile_lock_file",
    },
    {
      id: "Text_to_speech_v1_text_to_speech__voice_id__stream_post",
      at: "POST /v1/text-to-speech/{voice_id}/stream",
      more: { summary: "Text To Speech" },
      expected: "text_to_speech",
    },
    {
      id: "From a Collection",
      at: "POST /web-font/collection",
      more: { summary: "From a Collection" },
      expected: "create_web_font_collection_from_collection",
    },
    {
      id: "issues/lock",
      at: "PUT /repos/{owner}/{repo}/issues/{number}/lock",
      expected: "lock_issue",
    },
    {
      id: "orgs/list-members",
      at: "GET /orgs/{org}/members",
      more: list,
      expected: "list_org_members",
    },
    {
      id: "code-scanning/list-alerts-for-repo",
      at: "GET /repos/{repo}/code-scanning/alerts",
      more: list,
      expected: "list_code_scanning_alerts_for_repo",
    },
    {
      id: "emojis/get",
      at: "GET /emojis",
      more: { responses: [ok({ type: "object" })] },
      expected: "get_emojis",
    },
    { id: "meta/root", at: "GET /", expected: "get_meta_root" },
    { id: "PetsController_findAll", at: "GET /pets", more: list, expected: "list_pets" },
    { id: "PetsController_findOne", at: "GET /pets/{id}", expected: "get_pet" },
    { id: "PetsController_getPet", at: "GET /pets/{id}", expected: "get_pet" },
    { id: "AppController_getHello", at: "GET /hello", expected: "get_app_hello" },
    {
      id: "VirtualMachines_CreateOrUpdate",
      at: "PUT /vms/{name}",
      expected: "create_or_update_virtual_machine",
    },
    {
      at: "PUT /policies/{id}",
      more: { summary: "Create or update a policy", ...body },
      expected: "create_or_update_policy",
    },
    // A summary without an object, whose description has one.
    {
      id: "web.environment.update_organization",
      at: "POST /v1/environment/update_organization",
      more: { summary: "Update", description: "Update an organization." },
      expected: "update_organization",
    },
    { id: "api_users_partial_update", at: "PATCH /users/{id}", expected: "update_user_partially" },
    { id: "users.index", at: "GET /users", more: list, expected: "list_users" },
    { id: "users.destroy", at: "DELETE /users/{id}", expected: "destroy_user" },
    { id: "read_item_items__item_id__get", at: "GET /items/{item_id}", expected: "read_item" },
    { id: "ApiController.AddUser", at: "POST /api/add-user", expected: "add_user" },
    { id: "ApiKeysController_create", at: "POST /keys", expected: "create_api_key" },
    { id: "PublicController_getPets", at: "GET /pets", more: list, expected: "list_pets" },
    {
      id: "get_agent_route",
      at: "GET /agents/{id}",
      more: { summary: "Get agent" },
      expected: "get_agent",
    },
    {
      id: "create_webhook_endpoint",
      at: "POST /webhook-endpoints",
      expected: "create_webhook_endpoint",
    },
    {
      id: "get_delivery_route",
      at: "GET /deliveries/{id}",
      more: { summary: "Get the route of a delivery" },
      expected: "get_delivery_route",
    },
    { id: "create_one_api_cookbooks_post", at: "POST /api/cookbooks", expected: "create_cookbook" },
    { id: "update_many_api_recipes_put", at: "PUT /api/recipes", expected: "update_recipes" },
    { id: "order_complete_create", at: "POST /order/{id}/complete/", expected: "complete_order" },
    {
      id: "build_create_output_create",
      at: "POST /build/{id}/create-output/",
      expected: "create_build_output",
    },
    { id: "order_line_create", at: "POST /order/line/", expected: "create_order_line" },
    {
      id: "schedules_release_create",
      at: "POST /schedules/release/",
      more: { summary: "Release a new schedule version" },
      expected: "release_schedule",
    },
    {
      id: "quizzes_complete_quiz_create",
      at: "POST /quizzes/{id}/complete_quiz/",
      expected: "complete_quiz",
    },
    {
      id: "quizzes_submit_answer_create",
      at: "POST /quizzes/submit_answer/",
      expected: "submit_quiz_answer",
    },
    {
      id: "reports_export_settings_create",
      at: "POST /reports/export_settings/",
      expected: "create_report_export_setting",
    },
    { id: "GetCartsId", at: "GET /store/carts/{id}", expected: "get_store_cart" },
    {
      id: "PostCartsIdLineItems",
      at: "POST /store/carts/{id}/line-items",
      expected: "create_cart_line_item",
    },
    { id: "PostAuthTokenRefresh", at: "POST /auth/token/refresh", expected: "refresh_auth_token" },
    {
      id: "postAccountRemoveFromFollowers",
      at: "POST /accounts/{id}/remove_from_followers",
      more: { summary: "Remove account from followers" },
      expected: "remove_account_from_followers",
    },
    {
      id: "get_tags_for_list",
      at: "GET /lists/{id}/tags",
      more: list,
      expected: "list_tags_for_list",
    },
    { id: "getListOfFields", at: "GET /lists/{id}/fields", more: list, expected: "list_fields" },
    {
      id: "get-cardorders-id-items",
      at: "GET /cardorders/{id}/items",
      more: { ...list, tags: ["Card orders"] },
      expected: "list_card_order_items",
    },
    { id: "getListUsers", at: "GET /users", more: list, expected: "list_users" },
    { id: "RecyclePost", at: "PUT /posts/{id}/recycle", expected: "recycle_post" },
    {
      id: "peddle-goods",
      at: "POST /stalls/{id}/peddle",
      more: { summary: "Peddle goods" },
      expected: "peddle_goods",
    },
    {
      id: "peddle",
      at: "POST /stalls/{id}/peddle",
      more: { summary: "Peddle goods" },
      expected: "peddle_goods",
    },
    { id: "updateTripLog", at: "POST /trips/{id}/log", expected: "update_trip_log" },
    { id: "updateTripCancel", at: "POST /trips/{id}/cancel", expected: "cancel_trip" },
    { id: "getCurrentRider", at: "GET /rider", more: list, expected: "get_current_rider" },
    { id: "getRider", at: "GET /riders", more: list, expected: "list_riders" },
    {
      id: "CREATE_Attachment_User_Account",
      at: "POST /user/{u}/account/{a}/attachment",
      expected: "create_attachment_user_account",
    },
    { id: "post_annotate", at: "POST /text/annotate", expected: "annotate_text" },
    {
      id: "postScoreComment",
      at: "POST /scores/{id}/comments",
      more: { summary: "Post a comment" },
      expected: "create_score_comment",
    },
    {
      id: "primaryCurrency",
      at: "POST /currencies/{id}/primary",
      more: { summary: "Make currency the primary one" },
      expected: "make_primary_currency",
    },
    {
      id: "igniteRuleGroup",
      at: "POST /rule-groups/{id}/trigger",
      more: { summary: "Ignite the rule group" },
      expected: "ignite_rule_group",
    },
    {
      id: "beta_messages_count_tokens_post",
      at: "POST /v1/messages/count_tokens",
      more: { summary: "Count tokens in a message" },
      expected: "count_beta_message_tokens",
    },
    {
      id: "Add_rules_to_the_dictionary",
      at: "POST /dictionaries/{id}/add-rules",
      expected: "add_rules_to_dictionary",
    },
    { id: "Widgets_list", at: "GET /widgets", more: list, expected: "list_widgets" },
    {
      id: "backup-manualBackupMySql",
      at: "POST /backup.manualBackupMySql",
      expected: "create_manual_backup_mysql",
    },
    { id: "postgres-start", at: "POST /postgres.start", expected: "start_postgres" },
    {
      id: "beta_compactthread",
      at: "POST /threads/compact",
      more: { summary: "Compact a thread" },
      expected: "compact_beta_thread",
    },
    {
      id: "post_index_fields",
      at: "POST /indexes/{uid}/fields",
      more: { summary: "List index fields" },
      expected: "list_index_fields",
    },
    { id: "entity-look-up", at: "POST /lookup/entity", expected: "look_up_entity" },
    { id: "v1ListAPIKeys", at: "GET /v1/keys", more: list, expected: "list_api_keys" },
    { id: "getOAuth2Token", at: "GET /token", expected: "get_oauth2_token" },
    { id: "chat_postMessage", at: "POST /chat.postMessage", expected: "post_chat_message" },
    { id: "conversations_list", at: "GET /conversations.list", expected: "list_conversations" },
    {
      id: "admin_users_session_reset",
      at: "POST /admin.users.session.reset",
      expected: "reset_admin_user_session",
    },
    {
      id: "admin_apps_approved_list",
      at: "GET /admin.apps.approved.list",
      more: list,
      expected: "list_admin_approved_apps",
    },
    { id: "files_remote_add", at: "POST /files.remote.add", expected: "add_remote_file" },
    { id: "bots_info", at: "GET /bots.info", expected: "get_bot_info" },
    {
      id: "team_accessLogs",
      at: "GET /team.accessLogs",
      more: list,
      expected: "list_team_access_logs",
    },
    { id: "dnd_endSnooze", at: "POST /dnd.endSnooze", expected: "end_dnd_snooze" },
    { id: "api_test", at: "GET /api.test", expected: "test_api" },
    {
      id: "put_files_id#add_shared_link",
      at: "PUT /files/{file_id}",
      expected: "add_file_shared_link",
    },
    {
      id: "get_web_links_id#get_shared_link",
      at: "GET /web_links/{web_link_id}",
      expected: "get_web_link_shared_link",
    },
    { id: "post_oauth2_token#refresh", at: "POST /oauth2/token", expected: "refresh_oauth2_token" },
    {
      id: "post_files_id",
      at: "POST /files/{file_id}",
      more: { summary: "Restore file" },
      expected: "restore_file",
    },
    {
      id: "post_ai_ask",
      at: "POST /ai/ask",
      more: { summary: "Ask question", description: "Sends an AI request." },
      expected: "ask_ai",
    },
    {
      id: "put_files_id_watermark",
      at: "PUT /files/{file_id}/watermark",
      more: { ...body, summary: "Apply watermark to file" },
      expected: "apply_file_watermark",
    },
    {
      id: "createStatusPagePost",
      at: "POST /status_pages/{id}/posts",
      expected: "create_status_page_post",
    },
    {
      id: "listCustomFieldOptions",
      at: "GET /custom_fields/{field_id}/field_options",
      more: list,
      expected: "list_custom_field_options",
    },
    {
      id: "delete_all_message_reactions",
      at: "DELETE /messages/{message_id}/reactions",
      expected: "delete_all_message_reactions",
    },
    {
      id: "gitignore/get-all-templates",
      at: "GET /gitignore/templates",
      more: list,
      expected: "list_gitignore_templates",
    },
    {
      id: "ListSipCredentialList",
      at: "GET /SIP/CredentialLists.json",
      more: list,
      expected: "list_sip_credential_lists",
    },
    { id: "ImagePrune", at: "POST /images/prune", expected: "prune_images" },
    { id: "ContainerUnpause", at: "POST /containers/{id}/unpause", expected: "unpause_container" },
    { id: "ExecResize", at: "POST /exec/{id}/resize", expected: "resize_exec" },
    { id: "invite_resolve", at: "GET /invites/{code}", expected: "resolve_invite" },
    {
      id: "guild_search",
      at: "GET /guilds/{guild_id}/messages/search",
      more: list,
      expected: "search_guild_messages",
    },
    {
      id: "actions/re-run-workflow",
      at: "POST /runs/{run_id}/rerun",
      expected: "rerun_action_workflow",
    },
    {
      id: "genai_import_custom_model",
      at: "POST /custom_models/import",
      more: { summary: "Import a custom model" },
      expected: "import_genai_custom_model",
    },
    { id: "getSearchMovie", at: "GET /movies/search-all", more: list, expected: "search_movie" },
    {
      id: "registries_delete_repositoryTag",
      at: "DELETE /registries/{r}/tags/{tag}",
      expected: "delete_registry_repository_tag",
    },
    { id: "postPet", at: "POST /pets", expected: "create_pet" },
    { id: "putPet", at: "PUT /pets/{id}", more: body, expected: "replace_pet" },
    { id: "patchPet", at: "PATCH /pets/{id}", expected: "update_pet" },
    { id: "ListAccount", at: "GET /Accounts.json", more: list, expected: "list_accounts" },
    { id: "getUserList", at: "GET /users", more: list, expected: "list_users" },
    { id: "GETUSER", at: "GET /user", expected: "get_user" },
    {
      id: "ContainerArchive",
      at: "GET /containers/{id}/archive",
      expected: "get_container_archive",
    },
    { id: "ContainerRestart", at: "POST /containers/{id}/restart", expected: "restart_container" },
    {
      id: "bulk_delete_messages",
      at: "POST /messages/bulk-delete",
      expected: "delete_messages_in_bulk",
    },
    {
      id: "enterprise-team-memberships/bulk-add",
      at: "POST /enterprise-teams/{t}/memberships/add",
      expected: "add_enterprise_team_membership_in_bulk",
    },
    { id: "searchPets", at: "GET /pets/search", more: list, expected: "search_pets" },
    { id: "inventory", at: "GET /store/inventory", expected: "get_inventory" },
    { id: "obtenerMascota_ñandú", at: "GET /mascotas/{id}", expected: "get_mascota_nandu" },
    {
      id: "pubsub.projects.topics.list",
      at: "GET /v1/{project}/topics",
      more: list,
      expected: "list_project_topics",
    },
    {
      id: "pubsub.projects.topics.subscriptions.list",
      at: "GET /v1/{topic}/subscriptions",
      more: list,
      expected: "list_topic_subscriptions",
    },
    {
      id: "tasks.projects.locations.queues.tasks.run",
      at: "POST /v2/{name}:run",
      expected: "run_task",
    },
    { id: "acme.users.sessions.close", at: "POST /", expected: "close_acme_user_session" },
    { id: "listPetsUsingGET_1", at: "GET /pets", more: list, expected: "list_pets" },
    { id: "app_packagesPOST", at: "POST /app_packages", expected: "create_app_package" },
    { id: "mergePost", at: "POST /merge", expected: "merge" },
    { id: "createPost", at: "POST /posts", expected: "create_post" },
    { id: "searchRecordsPost", at: "POST /records/search", expected: "search_records" },
    { id: "WidgetListItems_Post", at: "POST /widgets/listItems", expected: "list_widget_items" },
    {
      id: "uploadSessionsDelete",
      at: "DELETE /upload-sessions/{id}",
      expected: "delete_upload_session",
    },
    {
      id: "calendar.calendarList.delete",
      at: "DELETE /users/me/calendarList/{id}",
      expected: "delete_calendar_list",
    },
    { id: "entitiesPost", at: "POST /s1/entities", expected: "create_entity" },
    {
      id: "ListInvalidations2020_05_31",
      at: "GET /2020-05-31/invalidations",
      more: list,
      expected: "list_invalidations",
    },
    {
      id: "Get.Count.columns-e46a",
      at: "GET /lists/{id}/columns/$count",
      expected: "count_columns",
    },
    { id: "get-face", at: "GET /face", expected: "get_face" },
    { id: "UntagResource", at: "POST /", expected: "untag_resource" },
    {
      id: "watchNamespacedDaemonSet",
      at: "GET /watch/namespaces/{n}/daemonsets/{name}",
      expected: "watch_namespaced_daemon_set",
    },
    { id: "ContainerTop", at: "GET /containers/{id}/top", expected: "get_container_top" },
    { id: "get-several-tracks", at: "GET /tracks", more: list, expected: "list_tracks" },
    { id: "DetailsByActive", at: "GET /details", more: list, expected: "list_active_details" },
    {
      id: "is-report-available",
      at: "GET /reports/available",
      expected: "get_is_report_available",
    },
    { id: "logIn", at: "POST /auth/login", expected: "log_in" },
    { id: "post_pen_lists", at: "POST /pens/{id}/lists", expected: "create_pen_list" },
    {
      id: "patch_pen_list_petField",
      at: "PATCH /pens/{pen}/lists/{list}/petFields/{petField}",
      expected: "update_pen_list_pet_field",
    },
    { id: "ListOfPenOperators", at: "GET /pens/{id}/observed", expected: "list_pen_operators" },
    { id: "listIdentitysPets", at: "GET /identities/{id}/pets", expected: "list_identity_pets" },
    {
      id: "analyze",
      at: "POST /read",
      more: { summary: "Analyze text content" },
      expected: "analyze_text_content",
    },
    {
      id: "logout",
      at: "POST /auth/logout",
      more: { tags: ["auth-controller"] },
      expected: "logout",
    },
    { id: "api_pings_id_delete", at: "DELETE /api/pings/{id}", expected: "delete_ping" },
    {
      id: "api_ping_get_collection",
      at: "GET /api/ping",
      more: { ...list, summary: "Retrieves the collection of Ping resources." },
      expected: "list_pings",
    },
    {
      id: "api_notify_post",
      at: "POST /api/notify",
      more: { summary: "Creates a Notify resource." },
      expected: "create_notify",
    },
    {
      id: "api_book_reviews_idpublish_post",
      at: "POST /api/book_reviews/{id}/publish",
      expected: "publish_book_review",
    },
    { id: "setthermpoint", at: "POST /setthermpoint", expected: "set_thermpoint" },
    { id: "settings", at: "POST /settings", expected: "create_setting" },
    { id: "indexRecipes", at: "GET /recipes", more: list, expected: "list_recipes" },
    { id: "destroyRecipes", at: "DELETE /recipes/{id}", expected: "destroy_recipe" },
    { id: "destroyRecipes", at: "DELETE /recipes/{ids}", expected: "destroy_recipes" },
    { id: "noShow", at: "POST /visits/{id}/no-show", expected: "create_no_show" },
    { id: "program.optInToProgram", at: "POST /program/opt_in", expected: "opt_in_to_program" },
    {
      id: "passes.eventticketclass.insert",
      at: "POST /eventTicketClass",
      more: { tags: ["eventticketclass"] },
      expected: "insert_event_ticket_class",
    },
    { id: "Slides_update_id", at: "PATCH /Slides/{id}", expected: "update_slide" },
    { id: "listStuff", at: "GET /stuff", more: list, expected: "list_stuff" },
    { id: "Bookings_CheckIn", at: "POST /bookings/{id}/check_in", expected: "check_in_booking" },
    {
      id: "AccountCtrl.getServices",
      at: "GET /accounts/{id}/services",
      more: list,
      expected: "list_account_services",
    },
    {
      id: "createFromShippingQuote",
      at: "POST /shipment/create_from_shipping_quote",
      expected: "create_shipment_from_shipping_quote",
    },
    { id: "validateForVoice", at: "POST /validate_for_voice", expected: "validate_for_voice" },
    { id: "fetchPortInFetch", at: "GET /ports/{id}", expected: "fetch_port_in" },
    { id: "tripsTripDetails", at: "GET /track", expected: "get_trip_details" },
    {
      id: "StopPoint_Modes",
      at: "GET /StopPoint/Modes",
      more: { summary: "Get the modes of a stop" },
      expected: "list_stop_point_modes",
    },
    { id: "stopJob", at: "POST /jobs/{id}/stop", expected: "stop_job" },
    { id: "teamsAll", at: "GET /AllTeams", more: list, expected: "list_all_teams" },
    { id: "SeasonCurrent", at: "GET /CurrentSeason", expected: "get_current_season" },
    { id: "listJobsFor", at: "GET /jobs", more: list, expected: "list_jobs" },
    { id: "ListNumberCountry", at: "GET /numbers", more: list, expected: "list_number_countries" },
    { id: "All", at: "GET /products", more: list, expected: "list_products" },
    { id: "profitAndLossOne", at: "GET /profit-and-loss", expected: "get_profit_and_loss" },
    { id: "product-all", at: "GET /product.all", expected: "list_products" },
    { id: "optOutOfProgram", at: "POST /program/opt_out", expected: "opt_out_of_program" },
    { id: "frobnicate", at: "POST /rpc/frobnicate", expected: "frobnicate" },
    {
      id: "Lettings_GetAdvertised",
      at: "GET /lettings/advertised",
      more: list,
      expected: "list_advertised_lettings",
    },
    {
      id: "recordReplace",
      at: "PUT /domains/{domain}/records",
      more: { summary: "Replace all records" },
      expected: "replace_records",
    },
    {
      id: "recordReplace",
      at: "PUT /domains/{domain}/records/{type}",
      more: { summary: "Replace all records" },
      expected: "replace_record",
    },
    {
      id: "post-pins-lock",
      at: "POST /pins/lock",
      more: { summary: "Lock a card PIN" },
      expected: "lock_pin",
    },
    {
      id: "getCodeReview",
      at: "GET /codereviews/{id}",
      more: { ...list, summary: "Get results of code review" },
      expected: "get_code_review",
    },
    {
      id: "getReview",
      at: "GET /topics/{id}/reviews",
      more: { ...list, summary: "Get review texts" },
      expected: "list_reviews",
    },
    {
      id: "deleteEmploymentNoteByNoteId",
      at: "DELETE /employers/notes/{noteId}",
      expected: "delete_employment_note",
    },
    {
      id: "getUserByEmail",
      at: "GET /users/{email}",
      expected: "get_user_by_email",
    },
    { id: "deleteStopwordsSet", at: "DELETE /stopwords/{setId}", expected: "delete_stopwords_set" },
    { id: "commit", at: "POST /branches/{branch}/commits", expected: "commit_branch" },
    { id: "deleteaddress2", at: "DELETE /addresses/{address}", expected: "delete_address" },
    {
      id: "RepoCredsService_CreateRepositoryCredentials",
      at: "POST /repocreds",
      expected: "create_repository_credentials",
    },
    {
      id: "Vault_Defragment",
      at: "POST /vault/defragment",
      more: { summary: "Defragment defragments the database of a member." },
      expected: "defragment_vault",
    },
    {
      id: "List trusted applications associated to an application",
      at: "GET /applications/{application_id}/trusted_applications",
      more: list,
      expected: "list_trusted_applications",
    },
    {
      id: "SearchScreenshot",
      at: "GET /screenshot/search",
      more: { ...list, summary: "Search for screenshots of a URL" },
      expected: "search_screenshots",
    },
    {
      id: "get-/crm/v3/cards/{appId}/{cardId}_getById",
      at: "GET /{appId}/{cardId}",
      expected: "get_crm_card",
    },
    {
      id: "post-/crm/v3/contacts/batch/read_read",
      at: "POST /crm/v3/contacts/batch/read",
      expected: "read_contacts_batch",
    },
  ])("$id of $at is $expected", ({ id, at, more, expected }) => {
    expect(namesOf([operation(at, { operationId: id, ...more })])).toEqual([expected]);
  });

  it.each([
    {
      id: "GetAccountsAccountCapabilities",
      at: "GET /v1/accounts/{account}/capabilities",
      more: list,
      expected: "list_account_capabilities",
    },
    {
      id: "post_workflows_id_start",
      at: "POST /workflows/{workflow_id}/start",
      expected: "start_workflow",
    },
    { id: "listIdGet", at: "GET /2/lists/{id}", expected: "get_list" },
    {
      id: "ByProjectKeyCartsByIdDiscountsPost",
      at: "POST /{projectKey}/carts/{id}/discounts",
      expected: "create_cart_discount",
    },
    {
      id: "get-api-v1-rooms-:_id-agents",
      at: "GET /api/v1/rooms/{_id}/agents",
      more: list,
      expected: "list_room_agents",
    },
    {
      id: "ReportsSalesDateByShopGet",
      at: "GET /reports/sales/{shop}/{date}",
      more: list,
      expected: "list_reports_sales",
    },
    {
      id: "547636a6f918230da8553640",
      at: "GET /predictions/{station}",
      expected: "get_prediction",
    },
    { id: "获取宠物", at: "GET /pets/{id}", expected: "get_pet" },
    { id: "😀", at: "GET /pets/{id}", expected: "get_pet" },
    { id: "$", at: "GET /pets/{id}", expected: "get_pet" },
  ])("$id only repeats method and path: $expected", ({ id, at, more, expected }) => {
    expect(namesOf([operation(at, { operationId: id, ...more })])).toEqual([expected]);
  });
});

describe("names from kind and path", () => {
  it.each([
    { at: "GET /volumes/json", more: list, expected: "list_volumes" },
    {
      at: "GET /subject/{query}",
      more: { summary: "Search subjects" },
      expected: "search_subjects",
    },
    { at: "POST /search", more: { summary: "Search pets" }, expected: "search_pets" },
    {
      at: "POST /teams/{id}/tags",
      more: { summary: "Add a tag to a team" },
      expected: "add_team_tag",
    },
    { at: "DELETE /search", more: { summary: "Delete pets by search" }, expected: "delete_pets" },
    {
      at: "POST /login/{env}",
      more: { summary: "Log in", description: "Authenticates a user." },
      expected: "login",
    },
    {
      at: "DELETE /out-of-band/invitations/{id}",
      more: { summary: "Delete records associated with an invitation" },
      expected: "delete_out_of_band_invitation",
    },
    {
      at: "POST /spans",
      more: { summary: "Uploads a list of spans" },
      expected: "upload_spans",
    },
    {
      at: "GET /autocompleteValues",
      more: { ...list, description: "Returns all known values of a tag." },
      expected: "list_autocomplete_values",
    },
    {
      at: "GET /tools/include_remote",
      more: { ...list, summary: "List all tools, including remote ones" },
      expected: "list_tools_include_remote",
    },
    {
      at: "DELETE /pens/{id}",
      more: { summary: "Stop and delete all pumps of a pen" },
      expected: "delete_pen",
    },
    {
      at: "POST /volumes/fs/create",
      more: { summary: "Create a new file share in a space", tags: ["File shares"] },
      expected: "create_file_share",
    },
    {
      at: "GET /volumes/fs",
      more: { ...list, summary: "List available file shares", tags: ["File shares"] },
      expected: "list_file_shares",
    },
    { at: "GET /commands/types", more: list, expected: "list_command_types" },
    {
      at: "GET /me/write-permissions",
      more: { description: "Returns the write permissions of a user." },
      expected: "list_my_write_permissions",
    },
    {
      at: "GET /skills/normalize",
      more: { summary: "Get the canonical skill name" },
      expected: "normalize_skill",
    },
    { at: "POST /text/analysis", expected: "post_text_analysis" },
    {
      at: "POST /company-overview",
      more: { responses: [ok({ type: "object", properties: { town: {} } })] },
      expected: "post_company_overview",
    },
    {
      at: "POST /company-overview",
      more: { responses: [ok({ type: "object", properties: { id: {} } })] },
      expected: "create_company_overview",
    },
    { at: "GET /history/hourly", more: list, expected: "list_hourly_history" },
    { at: "POST /sns", expected: "create_sns" },
    { at: "GET /get_all_topics", expected: "list_topics" },
    { at: "GET /get_new_topics", more: list, expected: "get_new_topics" },
    {
      at: "POST /pets/{id}/image",
      more: { summary: "Uploaded a profile image for a pet." },
      expected: "upload_pet_image",
    },
    {
      at: "POST /orders/{id}/readyforcollection",
      more: { summary: "Mark order as ready for collection" },
      expected: "mark_order_as_ready",
    },
    {
      at: "POST /webhooks/info.json",
      more: { description: "Given the ID of a webhook, return the data about it" },
      expected: "get_webhook_info",
    },
    {
      at: "POST /realms/{id}/partial-export",
      more: { summary: "Partial export of a realm" },
      expected: "export_realm",
    },
    { at: "GET /api/Orders/GetAll", more: list, expected: "list_orders" },
    { at: "GET /api/Cars/GetAllAvailable", more: list, expected: "list_available_cars" },
    { at: "POST /api/Cars/Import", expected: "import_cars" },
    // Nothing says what the call does: its own word, and not `create`.
    { at: "POST /vms/{id}/zap", expected: "zap_vm" },
    { at: "POST /zap-vm", expected: "zap_vm" },
    { at: "POST /password-forgotten", expected: "create_password_forgotten" },
    { at: "POST /vms/{id}/reservation", expected: "create_vm_reservation" },
    { at: "POST /vms/{id}/dns", expected: "create_vm_dns" },
    { at: "POST /vms/{id}/current", expected: "create_vm_current" },
    {
      at: "POST /users/{id}/avatar",
      more: { body: { required: true, contents: [content({ type: "object" })] } },
      expected: "create_user_avatar",
    },
    { at: "POST /servers/can_more", expected: "check_servers_can_more" },
    { at: "GET /odata/Routes", more: list, expected: "list_routes" },
    {
      at: "GET /meetings/{meetingId}",
      more: { ...list, summary: "Get meeting" },
      expected: "get_meeting",
    },
    {
      at: "DELETE /organizers",
      more: {
        summary: "Delete organizer by email",
        parameters: [parameter("query email", { required: true })],
      },
      expected: "delete_organizer",
    },
    { at: "DELETE /recipes/bulk_destroy", expected: "destroy_recipes_in_bulk" },
    {
      at: "GET /shopping_list",
      more: { ...list, summary: "Show shopping list" },
      expected: "get_shopping_list",
    },
    { at: "POST /hives/{id}/feed", more: { summary: "Feed hive" }, expected: "feed_hive" },
    { at: "GET /stations/{id}/now-playing", expected: "get_station_now_playing" },
    {
      at: "GET /leagues/{id}/matches/past",
      more: list,
      expected: "list_past_league_matches",
    },
    {
      at: "GET /matches/running",
      more: { ...list, summary: "Get running matches" },
      expected: "list_running_matches",
    },
    {
      at: "GET /lookup/md5/{md5}",
      more: { summary: "Look up an MD5 hash" },
      expected: "lookup_md5",
    },
    {
      at: "GET /auth/validate",
      more: { summary: "Validate the credentials" },
      expected: "validate_auth",
    },
    {
      at: "PUT /user/votes/episodes/{id}",
      more: { summary: "Vote for an episode" },
      expected: "vote_episode",
    },
    { at: "PUT /api/Orders/UpdateStatus/{id}", expected: "update_order_status" },
    { at: "POST /api/Stock/Adjust", expected: "adjust_stock" },
    { at: "POST /api/Account/ForgotPassword", expected: "forgot_account_password" },
    { at: "GET /pets", more: list, expected: "list_pets" },
    { at: "GET /pets/{id}", expected: "get_pet" },
    { at: "POST /pets", expected: "create_pet" },
    { at: "POST /pets/{id}", expected: "post_pet" },
    { at: "POST /pets/{id}", more: { summary: "Update a pet" }, expected: "update_pet" },
    { at: "POST /pets/{id}", more: { summary: "Add a pet" }, expected: "add_pet" },
    { at: "PATCH /pets/{id}", expected: "update_pet" },
    { at: "PUT /pets/{id}", more: body, expected: "replace_pet" },
    { at: "PUT /groups/{id}/members/{user}", expected: "add_group_member" },
    { at: "DELETE /pets/{id}", expected: "delete_pet" },
    { at: "DELETE /pets", expected: "delete_pets" },
    { at: "HEAD /pets/{id}", expected: "check_pet" },
    { at: "QUERY /pets", expected: "search_pets" },
    {
      at: "POST /reading-lists",
      more: { summary: "Returns reading lists for a user" },
      expected: "list_reading_lists",
    },
    {
      at: "POST /get_online_friends",
      more: { summary: "Find friends who are online" },
      expected: "get_online_friends",
    },
    { at: "GET /is-prime", expected: "check_is_prime" },
    { at: "POST /posts/{id}/reorder{mediaTypeExtension}", expected: "reorder_post" },
    {
      at: "GET /types/notifications",
      more: { ...list, summary: "Get the available notification types" },
      expected: "list_notification_types",
    },
    {
      at: "POST /mobile/topups",
      more: { summary: "Submit a mobile credit request" },
      expected: "submit_mobile_credit_request",
    },
    {
      at: "POST /token/statushistory",
      more: { summary: "Used to retrieve the history of a token", tags: ["Token Status History"] },
      expected: "get_token_status_history",
    },
    { at: "POST /auth/register", more: { summary: "Register here" }, expected: "register" },
    { at: "GET /oncall", more: { ...list, tags: ["On-call"] }, expected: "list_oncalls" },
    { at: "GET /media/liked", more: list, expected: "list_media_liked" },
    {
      at: "POST /transfers/{id}/returns",
      more: { summary: "Return a transfer" },
      expected: "create_transfer_return",
    },
    { at: "POST /sessions", more: { summary: "Get a session" }, expected: "create_session" },
    { at: "POST /users", more: { summary: "Get or create a user" }, expected: "create_user" },
    {
      at: "POST /messages/count_tokens",
      more: { summary: "Count tokens in a message" },
      expected: "count_messages_tokens",
    },
    {
      at: "POST /schedules/{id}",
      more: { description: "StartSchedule starts a schedule that was paused." },
      expected: "start_schedule",
    },
    {
      at: "POST /media_sweep",
      more: { summary: "Clean up old media" },
      expected: "clean_up_media",
    },
    {
      at: "PUT /tools/log-level",
      more: { summary: "Set the log level" },
      expected: "set_log_level",
    },
    {
      at: "PUT /users/{id}/userLabel",
      more: { summary: "Update the label of a user" },
      expected: "update_user_label",
    },
    {
      at: "POST /pets/{id}/charge",
      more: { summary: "Charge for a pet" },
      expected: "charge_pet",
    },
    {
      at: "GET /broadcasts",
      more: { ...list, summary: "Broadcasts" },
      expected: "list_broadcasts",
    },
    { at: "GET /admin/api/users", more: list, expected: "list_admin_users" },
    { at: "GET /users/{id}/api/keys", more: list, expected: "list_user_api_keys" },
    {
      at: "GET /downloadclient",
      more: { ...list, tags: ["DownloadClient"] },
      expected: "list_download_clients",
    },
    {
      at: "DELETE /issuetypes/{id}",
      more: { tags: ["Issue types"] },
      expected: "delete_issue_type",
    },
    {
      at: "GET /projects/{id}/teammembers",
      more: { ...list, summary: "List team members" },
      expected: "list_project_team_members",
    },
    {
      at: "GET /projects/{id}/teammembers",
      more: { ...list, summary: "List team members", description: "Teammembers do the work." },
      expected: "list_project_teammembers",
    },
    {
      at: "GET /lab/spellcheck",
      more: { summary: "Spell check on a term" },
      expected: "get_lab_spell_check",
    },
    {
      at: "GET /company/phonenumber",
      more: { description: "Returns random phone number(s)" },
      expected: "get_company_phone_number",
    },
    {
      at: "GET /companies/phonenumber",
      more: { description: "The phonenumber, a phone number of the company." },
      expected: "get_companies_phonenumber",
    },
    { at: "POST /care-contexts/discover", more: {}, expected: "discover_care_contexts" },
    {
      at: "POST /members/{id}/invites",
      more: { operationId: "MemberInviteCancel", description: "Cancels a pending invitation." },
      expected: "cancel_member_invite",
    },
    {
      at: "POST /features/{name}/revive",
      more: { summary: "Revive a feature" },
      expected: "revive_feature",
    },
    {
      at: "POST /parcel/public_label/exchange",
      more: { operationId: "parcelPublicLabelExchange", summary: "Exchange a public label" },
      expected: "exchange_public_label",
    },
    {
      at: "GET /names",
      more: { ...list, description: "Generate company names" },
      expected: "generate_names",
    },
    {
      at: "GET /names",
      more: { ...list, operationId: "getNames", description: "Generate company names" },
      expected: "list_names",
    },
    {
      at: "PUT /pots/{id}",
      more: { operationId: "Pots_PutByIdModel", summary: "Replaces a pot" },
      expected: "replace_pot",
    },
    {
      at: "POST /pots",
      more: { operationId: "Pots_PostByModel", summary: "Adds a pot" },
      expected: "create_pot",
    },
    {
      at: "DELETE /sites/{site_id}/beacons/{beacon_id}",
      more: { operationId: "deleteSiteBeacons", description: "Delete site beacon" },
      expected: "delete_site_beacon",
    },
    {
      at: "GET /jobschedules/{id}/jobs",
      more: { ...list, operationId: "Job_ListFromJobSchedule" },
      expected: "list_jobs_from_job_schedule",
    },
    {
      at: "GET /hotels/{id}/rateplans/{code}/rates/{day}",
      more: { operationId: "RatePlans_GetRate" },
      expected: "get_rate_plan_rate",
    },
    {
      at: "GET /accounts/{id}/users",
      more: { ...list, operationId: "AccountUser_ListUserRoles" },
      expected: "list_account_user_roles",
    },
    {
      at: "GET /StopSchedule",
      more: { summary: "Returns the buses at a stop" },
      expected: "get_stop_schedule",
    },
    {
      at: "GET /vcenters/{id}",
      more: { summary: "Get a vCenter" },
      expected: "get_vcenter",
    },
    { at: "POST /mounts/{id}/unmount", more: {}, expected: "unmount_mount" },
    { at: "POST /conversations/{id}/read", expected: "mark_conversation_as_read" },
    {
      at: "POST /notifications/clear",
      more: { summary: "Clear all notifications" },
      expected: "clear_notifications",
    },
    {
      at: "POST /commands/send",
      more: { summary: "Send commands to a device" },
      expected: "send_command",
    },
    {
      at: "GET /users/{id}/bookmarks/folders",
      more: {
        ...list,
        summary: "List bookmark folders",
        description: "Alternate route: `/dev/users/{id}/bookmarks/folders/`",
      },
      expected: "list_user_bookmark_folders",
    },
    {
      at: "GET /spaces/keys",
      more: { ...list, summary: "List Spaces access keys" },
      expected: "list_spaces_keys",
    },
    {
      at: "GET /screenshot/info",
      more: { ...list, operationId: "GetScreenshotInfo", summary: "Query screenshot status" },
      expected: "get_screenshot_info",
    },
    { at: "GET /anything/oauth2", more: { tags: ["OAuth 2"] }, expected: "get_anything_oauth2" },
    { at: "GET /api/Device", more: list, expected: "list_devices" },
    { at: "GET /files/category", more: list, expected: "list_files_category" },
    { at: "POST /pets/{id}/adopt", expected: "adopt_pet" },
    { at: "POST /modalities/{id}/store", expected: "store_modality" },
    { at: "POST /pets/store", expected: "create_pet" },
    { at: "POST /pets/{id}:adopt", expected: "adopt_pet" },
    { at: "POST /servers/{id}/actions/attach_to_network", expected: "attach_server_to_network" },
    { at: "DELETE /messages/all", expected: "delete_messages" },
    { at: "POST /pets/{id}/add-labels", expected: "add_pet_labels" },
    { at: "POST /posts/{id}/comments", expected: "create_post_comment" },
    { at: "GET /pets/search", more: list, expected: "search_pets" },
    { at: "GET /pets/count", expected: "count_pets" },
    { at: "GET /pets/findByStatus", more: list, expected: "find_pets_by_status" },
    { at: "GET /owners/{o}/pets/{p}/visits", more: list, expected: "list_pet_visits" },
    { at: "GET /v1/billing/alerts", more: list, expected: "list_billing_alerts" },
    { at: "GET /api/v2/users/{id}.json", expected: "get_user" },
    { at: "GET /2010-04-01/Accounts/{Sid}/Calls.json", more: list, expected: "list_account_calls" },
    { at: "POST /chat.postMessage", expected: "post_chat_message" },
    { at: "GET /", expected: "get_root" },
    { at: "GET /movie/top_rated", more: list, expected: "list_top_rated_movies" },
    { at: "GET /movie/{id}/similar", more: list, expected: "list_similar_movies" },
    { at: "GET /invoices/upcoming", expected: "get_upcoming_invoice" },
    { at: "GET /search/movie", more: list, expected: "search_movie" },
    { at: "GET /{workspace}/tags", more: list, expected: "list_workspace_tags" },
    { at: "GET /services/{id}", expected: "get_service" },
    { at: "GET /files/{id}/metadata/global", expected: "get_file_metadata_global" },
    { at: "POST /test_helpers/test_clocks", expected: "create_test_helpers_test_clock" },
    { at: "POST /account/login_links", expected: "create_account_login_link" },
    {
      at: "PUT /users/{user_id}/folders/0",
      more: { ...body, summary: "Transfer owned folders" },
      expected: "transfer_user_folders",
    },
    {
      at: "POST /responses/compact",
      more: { operationId: "Compactconversation", summary: "Compact a conversation." },
      expected: "compact_conversation",
    },
    {
      at: "POST /responses/input_tokens",
      more: {
        operationId: "Getinputtokencounts",
        summary: "Returns input token counts.",
        responses: [ok({ type: "object", properties: { input_tokens: { type: "integer" } } })],
      },
      expected: "get_input_token_counts",
    },
    { at: "GET /archive/v1.0/{id}/from/{a}/to/{b}", expected: "get_archive" },
    { at: "GET /v{version}/areas/{area_id}", expected: "get_area" },
    { at: "POST /api-v1.0/ImageTags", expected: "create_image_tag" },
    { at: "GET /{appId}/{cardId}", expected: "get_app_card" },
    { at: "GET /{year}/{month}.json", expected: "get_by_year_and_month" },
    { at: "GET /json/GetPrediction/{station}", expected: "get_prediction" },
    { at: "DELETE /types/{type}/versions/{version}", expected: "delete_type_version" },
    { at: "POST /convert", expected: "convert" },
    { at: "POST /invite", expected: "create_invite" },
    { at: "GET /me/members/acme.graph.orgContact", expected: "get_members_org_contact" },
    { at: "POST /me/items/{id}/acme.graph.copy", expected: "copy_my_item" },
    { at: "GET /nonprofits/list", more: list, expected: "list_nonprofits" },
    { at: "GET /api/v1/beta/webhooks", more: list, expected: "list_webhooks" },
    { at: "GET /health", more: list, expected: "list_health" },
    { at: "GET /history/since", more: list, expected: "list_history_since" },
    {
      at: "GET /groups/{number}/{groupid}",
      more: { summary: "List a group" },
      expected: "get_group",
    },
    {
      at: "GET /backups/log/{path}",
      more: { operationId: "adminBackupsViewLog", summary: "View a backup log" },
      expected: "view_admin_backup_log",
    },
    { at: "PUT /migration/csv/migrate", expected: "migrate_csv" },
    { at: "POST /delete", more: { summary: "Delete data" }, expected: "delete_data" },
    {
      at: "GET /integrations/sentinelone",
      more: { summary: "Get the SentinelOne integration" },
      expected: "get_integrations_sentinel_one",
    },
    { at: "GET /cephfs/{id}/clients", more: list, expected: "list_cephfs_clients" },
    { at: "GET /sessions/create", expected: "create_session" },
    { at: "GET /documents/findByMention/{doc}", more: list, expected: "find_documents_by_mention" },
    { at: "OPTIONS /pets", expected: "get_pets_options" },
    { at: "POST /bookings/{id}/check_in", expected: "check_in_booking" },
    {
      at: "GET /templates/securityClassification-6VMVochwUWo/schema",
      expected: "get_security_classification_schema",
    },
  ])("$at is $expected", ({ at, more, expected }) => {
    expect(namesOf([operation(at, more)])).toEqual([expected]);
  });

  it("uses a hash for a path without ASCII letters", () => {
    expect(namesOf([operation("GET /宠物")])[0]).toMatch(/^get_[a-z0-9]{6}$/);
  });
});

describe("names in other languages than English", () => {
  const dutch = { ...list, summary: "Alle zaken van een rol opvragen" };

  it.each([
    { id: "zaak_list", at: "GET /zaken", more: dutch, expected: "list_zaken" },
    { id: "rol_list", at: "GET /rollen", more: dutch, expected: "list_rollen" },
    {
      id: "getVorgangList",
      at: "GET /vorgang",
      more: { ...list, summary: "Liefert eine Liste von Vorgängen" },
      expected: "list_vorgang",
    },
    { id: "rol_list", at: "GET /rollen", more: list, expected: "list_rols" },
    {
      id: "zaak__zoek",
      at: "POST /zaken/_zoek",
      more: { ...list, summary: "Zoek een zaak" },
      expected: "search_zaken",
    },
  ])("$id with $more.summary is $expected", ({ id, at, more, expected }) => {
    expect(namesOf([operation(at, { operationId: id, ...more })])).toEqual([expected]);
  });
});

describe("qualifiers that no text has", () => {
  const invoices = operation("GET /billing/invoices", { ...list, summary: "List invoices" });

  it.each([
    { at: "POST /messages/send-poll", summary: "Send a poll", expected: "send_poll" },
    {
      at: "DELETE /setup/connections/{id}",
      summary: "Delete a connection",
      expected: "delete_connection",
    },
    {
      at: "POST /messages/send-poll",
      summary: "Send a poll as a message",
      expected: "send_message_poll",
    },
    {
      at: "POST /admin/access-rules",
      summary: "Create an access rule",
      expected: "create_admin_access_rule",
    },
    { at: "GET /products/reviews/{id}", summary: "Get a review", expected: "get_product_review" },
    {
      at: "POST /issues/{id}/comments",
      summary: "Create a comment",
      expected: "create_issue_comment",
    },
    {
      at: "GET /settlement/summary",
      summary: "Get the summary",
      expected: "get_settlement_summary",
    },
  ])("$at of $summary is $expected", ({ at, summary, expected }) => {
    expect(namesOf([operation(at, { summary })])).toEqual([expected]);
  });

  it.each([
    {
      at: "DELETE /tasks/{projectId}/st/{subTaskId}",
      summary: "Delete subtask (Admin only)",
      expected: "delete_subtask",
    },
    { at: "PUT /notes/{id}/n/{noteId}", summary: "Update a note", expected: "update_note" },
    {
      at: "GET /commands/send",
      summary: "Get a list of saved commands supported by a device",
      expected: "list_saved_commands",
    },
    { at: "GET /tools/now", summary: "Get local time", expected: "get_local_time" },
    // A part of the object, a state, a place, and a list of fields.
    { at: "GET /users/{id}/avatar", summary: "Get the picture", expected: "get_user_avatar" },
    { at: "GET /pets/{id}/mood", summary: "Get the current status", expected: "get_pet_mood" },
    {
      at: "DELETE /allowlist/{id}",
      summary: "Remove a mail domain from those allowed",
      expected: "remove_allowlist",
    },
    { at: "GET /jobs", summary: "Get the names, texts and IDs of work", expected: "list_jobs" },
    // The object of the path is a part of that of the summary.
    {
      at: "PUT /maintenance/{id}",
      summary: "Update a maintenance entry",
      expected: "update_maintenance_entry",
    },
    {
      at: "GET /cloud_mail/fields/keys",
      summary: "Get cloud mail field keys",
      expected: "list_cloud_mail_field_keys",
    },
    { at: "GET /pens/{id}", summary: "Get a pen object", expected: "get_pen" },
    { at: "GET /spoons/{id}", summary: "Get old spare spoons", expected: "get_spoon" },
  ])("$at of $summary is the object $expected", ({ at, summary, expected }) => {
    expect(namesOf([operation(at, { summary })])).toEqual([expected]);
  });

  it.each([
    {
      id: "uploadSigned",
      summary: "Upload a signed lease (PDF)",
      expected: "upload_signed_lease",
    },
    { id: "submitRequest", summary: "Submit a stay request", expected: "submit_stay_request" },
    { id: "deleteKeys", summary: "Delete API keys", expected: "delete_api_keys" },
    // A thing that has a name, another verb, another object, and two verbs.
    { id: "mergePets", summary: "Merge old pets", expected: "merge_pets" },
    { id: "submitRequest", summary: "Approve a stay request", expected: "submit_request" },
    { id: "createToken", summary: "Create a login", expected: "create_token" },
    { id: "createToken", summary: "Create or replace a token", expected: "create_token" },
  ])("$id of $summary is $expected", ({ id, summary, expected }) => {
    expect(namesOf([operation("POST /shop", { operationId: id, summary })])).toEqual([expected]);
  });

  it("stay where another operation would have the name", () => {
    expect(namesOf([invoices])).toEqual(["list_invoices"]);
    const own = operation("GET /invoices", list);
    expect(namesOf([invoices, own])).toEqual(["list_billing_invoices", "list_invoices"]);
  });
});

describe("names from texts where path and operationId say less", () => {
  const amount = { summary: "Convert an amount" };
  const removal = { summary: "Remove a user from a group" };
  const place = { summary: "Look up the location of an address" };

  it.each([
    { at: "GET /amounts/conversion", more: amount, expected: "convert_amounts" },
    { id: "getConversion", at: "GET /conversion", more: amount, expected: "get_conversion" },
    {
      at: "GET /phone-validation",
      more: { summary: "Validate a phone number" },
      expected: "validate_phone_number",
    },
    {
      at: "DELETE /groups/{id}/members/{member_id}",
      more: removal,
      expected: "remove_group_member",
    },
    {
      at: "DELETE /groups/{id}/members/{member_id}",
      more: { summary: "Remove a member" },
      expected: "delete_group_member",
    },
    { at: "GET /", more: place, expected: "get_location" },
    { at: "GET /v2", more: { ...list, summary: "Get a list of pets" }, expected: "list_pets" },
    { at: "GET /convert", more: amount, expected: "convert_amount" },
    { id: "search", at: "GET /search", more: { summary: "Get pets" }, expected: "search" },
    { at: "GET /", more: { summary: "Get very long pet food names" }, expected: "get_root" },
    { id: "getScoreboard", at: "GET /scoreboard", more: list, expected: "get_scoreboard" },
    {
      id: "getScoreboard",
      at: "GET /scoreboard",
      more: { ...list, summary: "Get scoreboards" },
      expected: "list_scoreboards",
    },
    {
      id: "get_conversations_by_label",
      at: "GET /conversations/label/{id}",
      more: list,
      expected: "list_conversations_by_label",
    },
    { at: "GET /commands/types/{id}", expected: "get_command_type" },
    {
      id: "clearDevices",
      at: "DELETE /devices/{system}",
      more: { summary: "Clear all devices" },
      expected: "clear_devices",
    },
    { id: "tables_borders_get_id", at: "GET /Tables/Borders/{id}", expected: "get_table_border" },
    {
      id: "pens_get_id_updated",
      at: "GET /desk/pens/{id}",
      more: { parameters: [parameter("path id"), parameter("query updated")] },
      expected: "get_pen_id_updated",
    },
    { id: "getOwnerApis", at: "GET /apis/{owner}", more: list, expected: "list_owner_apis" },
    { id: "getBotFile", at: "GET /bot/{name}/{file-kind}", expected: "get_bot_file" },
    {
      id: "tasks_comment_delete",
      at: "DELETE /tasks/comment",
      more: { summary: "Delete a task comment" },
      expected: "delete_task_comment",
    },
    {
      id: "getTablesBorders",
      at: "GET /tables/borders",
      more: list,
      expected: "list_table_borders",
    },
    {
      id: "list-pages-builds",
      at: "GET /pages/builds",
      more: { ...list, summary: "List GitHub Pages builds" },
      expected: "list_pages_builds",
    },
    {
      id: "revoke-all-roles-team",
      at: "DELETE /roles/teams/{team}",
      more: { summary: "Remove each role. Role teams stay." },
      expected: "revoke_all_roles_team",
    },
    {
      id: "check-if-user-follows-list",
      at: "GET /lists/{id}/followers",
      more: { summary: "Check if users follow list" },
      expected: "check_if_user_follows_list",
    },
    {
      id: "Renew API Key",
      at: "PUT /accounts/{id}/renewal",
      more: { summary: "Renew API Key" },
      expected: "renew_api_key",
    },
    {
      id: "changeBoardsLabelNamesByIdBoard",
      at: "PUT /boards/{idBoard}/labelNames",
      expected: "change_board_label_names",
    },
    {
      id: "listPensByIdBoard",
      at: "GET /boards/{idBoard}/pens",
      more: list,
      expected: "list_pens_by_id_board",
    },
    {
      id: "getTeamByTeamName",
      at: "GET /teams/{teamName}",
      expected: "get_team_by_team_name",
    },
    {
      id: "getTokenPrice",
      at: "GET /tokens/price",
      more: { summary: "Lists price and volume" },
      expected: "get_token_price",
    },
    {
      id: "Authorization",
      at: "POST /auth",
      more: { summary: "Authorize a transaction" },
      expected: "authorize_transaction",
    },
    {
      at: "GET /inventory/fill-rate",
      more: { summary: "Calculate fill rate" },
      expected: "calculate_fill_rate",
    },
    {
      at: "GET /stats/frequency/ngrams/{language}",
      more: { summary: "Retrieve the frequency of ngrams" },
      expected: "get_ngram_frequency",
    },
    {
      id: "Force",
      at: "POST /force",
      more: { summary: "Force Approval", description: "Forces an approval." },
      expected: "force_approval",
    },
    {
      id: "Force",
      at: "POST /force",
      more: { summary: "Force Approval" },
      expected: "create_force",
    },
    { id: "fetchAllPens", at: "GET /pens", more: list, expected: "list_pens" },
    { id: "fetchOnePen", at: "GET /pens/{pen_id}", expected: "get_pen" },
    { id: "retrieve all pens", at: "GET /pens", more: list, expected: "list_pens" },
    {
      at: "POST /client",
      more: { summary: "Create a client selfie" },
      expected: "create_client_selfie",
    },
    { at: "POST /client", more: { summary: "Create a new user" }, expected: "create_client" },
    { id: "events_info_get", at: "GET /events/info", expected: "get_event_info" },
    {
      id: "Get Search Parameters",
      at: "POST /pull/parameters",
      more: { summary: "Get Search Parameters" },
      expected: "list_search_parameters",
    },
    {
      id: "Claim_PutByclaimNbr",
      at: "PUT /claims/{claimNbr}",
      more: { ...body, summary: "Update a claim" },
      expected: "update_claim",
    },
    { id: "getClaimByNbr", at: "GET /claims/{Nbr}", expected: "get_claim_by_nbr" },
    {
      id: "uploadSessionsOne",
      at: "GET /store/upload-sessions/{id}",
      expected: "get_upload_session",
    },
    { id: "getDetails", at: "GET /account", expected: "get_account_details" },
    { id: "getStatus", at: "GET /status_updates/{id}", expected: "get_status" },
    { id: "getInfo", at: "GET /rest-service-pens/server-v1", expected: "get_info" },
    {
      id: "getAccountSettingsRules",
      at: "GET /account/settings/rules",
      more: list,
      expected: "list_settings_rules",
    },
    {
      id: "ReportPlaybackStart",
      at: "POST /Sessions/Playing",
      more: { summary: "Reports playback has started." },
      expected: "report_playback_start",
    },
    {
      id: "addToShoppingList",
      at: "POST /planner/{user}/shopping-list/items",
      more: { summary: "Add to Shopping List" },
      expected: "add_to_shopping_list",
    },
  ])("$id $at is $expected", ({ id, at, more, expected }) => {
    const named = operation(at, { ...more, ...(id !== undefined && { operationId: id }) });
    expect(namesOf([named])).toEqual([expected]);
  });
});

describe("legal names", () => {
  const long = "listVeryLongOperationNameSegment".repeat(8);

  it.each([
    { id: "x(){};PWNED();function y", expected: "get_x_pwned_function_y" },
    { id: "__proto__", expected: "get_proto" },
    { id: "constructor", expected: "get_constructor" },
    { id: "1abc", expected: "get_1abc" },
    { id: "../../etc/passwd", expected: "get_etc_passwd" },
    { id: "a".repeat(300), expected: `get_${"a".repeat(24)}` },
  ])("$id", ({ id, expected }) => {
    expect(namesOf([operation("GET /p", { operationId: id })])).toEqual([expected]);
  });

  it("drops qualifying words first and keeps distinguishing ones", () => {
    const id = "packages/list-docker-migration-conflicting-packages-for-authenticated-user";
    expect(
      namesOf([operation("GET /user/docker/conflicts", { operationId: id, ...list })]),
    ).toEqual(["list_docker_migration_conflicting_packages_user"]);
  });

  it.each([
    {
      id: "actions/get-fork-pr-contributor-approval-permissions-organization",
      expected: "get_fork_pr_contributor_approval_permissions_org",
    },
    {
      id: "deleteShieldInformationBarrierSegmentRestriction",
      expected: "delete_shield_info_barrier_segment_restriction",
    },
    {
      id: "getAnalyticsMetricsIncidentsEscalationPolicy",
      expected: "get_metrics_incidents_escalation_policy",
    },
    {
      id: "listWorkflowIntegrationConnectionsByIntegration",
      expected: "list_integration_connections_by_integration",
    },
  ])("shortens $id to $expected", ({ id, expected }) => {
    expect(namesOf([operation("GET /a", { operationId: id })])).toEqual([expected]);
  });

  it("limits names to 48 characters, including the namespace", () => {
    for (const namespace of [undefined, "abcdefghijklmnop"]) {
      const names = namesOf(
        [
          operation("GET /a", { operationId: `${long}A` }),
          operation("GET /b", { operationId: `${long}B` }),
        ],
        namespace,
      );
      expect(new Set(names).size).toBe(2);
      for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{0,47}$/);
    }
  });

  it("prefixes the namespace", () => {
    expect(namesOf([operation("GET /pets", list)], "shop")).toEqual(["shop_list_pets"]);
  });

  it("avoids device names", () => {
    for (const id of ["con", "nul", "aux", "com1", "index"])
      expect(namesOf([operation("OPTIONS /", { operationId: id })])[0]).toMatch(/^[a-z]+_/);
  });
});

test.each([
  ["a", "is too short for a name"],
  ["商品", "has no ASCII letters"],
  ["4", "has no ASCII letters"],
])("an operationId that gives no name: %s", (operationId, problem) => {
  const { diagnostics } = plan(api([operation("GET /pets", { operationId })]));
  expect(diagnostics.filter(({ code }) => code === "plan-operation-id-ignored")).toMatchObject([
    {
      message: `The operationId "${operationId}" ${problem}. The tool is named after its path: list_pets.`,
    },
  ]);
});

describe("reads of collections that nothing describes", () => {
  const namesIn = (operations: readonly Operation[]): readonly string[] =>
    plan(api(operations)).tools.map(({ definition }) => definition.name);
  const item = operation("GET /disk/{svc_id}");

  test.each<readonly [reason: string, collection: Partial<Operation>, want: readonly string[]]>([
    ["a list beside its item", {}, ["list_disks", "get_disk"]],
    ["a text", { summary: "Get the disk of the caller" }, ["get_disk", "get_disk_by_svc_id"]],
    [
      "the schema of an object",
      { responses: [ok({ type: "object", properties: { size: { type: "integer" } } })] },
      ["get_disk", "get_disk_by_svc_id"],
    ],
  ])("%s", (_, collection, want) => {
    expect(namesIn([operation("GET /disk", collection), item])).toEqual(want);
  });

  test("is one thing without an item, and where its noun has no plural", () => {
    expect(namesIn([operation("GET /disk")])).toEqual(["get_disk"]);
    const status = [operation("GET /status"), operation("GET /status/{name}")];
    expect(namesIn(status)[0]).toBe("get_status");
  });

  test("is described as a list", () => {
    const { tools } = plan(api([operation("GET /disk"), item]));
    expect(tools[0]?.definition.description).toMatch(/^List disks\b/);
  });
});
