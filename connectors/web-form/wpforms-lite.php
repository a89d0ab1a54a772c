<?php
/**
 * Plugin Name: clinic-sync for WPForms Lite
 * Description: Sends the entries of booking forms to clinic-sync, signed as the Webhooks addon of WPForms Pro signs them.
 * Version: 1.0.0
 * Requires PHP: 7.2
 *
 * Setting it up: connectors/web-form/README.md, WPForms. It reads three constants of wp-config.php: CLINIC_SYNC_ADDRESS,
 * CLINIC_SYNC_SECRET and CLINIC_SYNC_FORMS, an array with the numbers of the forms.
 */

defined( 'ABSPATH' ) || exit;

/** Minutes until each further try, when clinic-sync could not be reached or did not take the entry. */
const CLINIC_SYNC_TRIES = array( 1, 10, 60, 360, 1440 );

add_action( 'wpforms_process_complete', 'clinic_sync_entry', 10, 4 );
add_action( 'clinic_sync_again', 'clinic_sync_send', 10, 2 );
add_action( 'clinic_sync_forget', 'clinic_sync_forget' );
register_uninstall_hook( __FILE__, 'clinic_sync_uninstall' );

/** Answers by the labels of their fields. What WPForms puts into lines is put between ||, as its addon does. */
function clinic_sync_entry( $fields, $entry, $form_data, $entry_id ) {
	if ( ! defined( 'CLINIC_SYNC_FORMS' ) || ! in_array( (int) $form_data['id'], array_map( 'intval', CLINIC_SYNC_FORMS ), true ) ) {
		return;
	}
	$body = array();
	foreach ( $fields as $field ) {
		$is_list = in_array( $field['type'], array( 'address', 'select', 'checkbox' ), true );
		$value   = $is_list ? str_replace( array( "\r\n", "\n" ), '||', $field['value'] ) : $field['value'];
		$label   = '' === trim( $field['name'] ) ? 'field ' . $field['id'] : $field['name'];
		// The first of several with one label.
		$body += array( $label => 'date-time' === $field['type'] ? array( 'value' => $value, 'unix' => $field['unix'] ) : $value );
	}
	// WPForms Lite gives entries no number: this one makes a repetition the same booking.
	$id   = wp_generate_uuid4();
	$body = array( 'entry_id' => $id ) + $body;
	add_option( "clinic_sync_$id", wp_json_encode( $body ), '', 'no' );
	clinic_sync_send( $id, 0 );
}

/** What was taken is kept here no longer; what was not is tried again, and after the last try told by mail. */
function clinic_sync_send( $id, $tries ) {
	$body = get_option( "clinic_sync_$id" );
	if ( false === $body ) {
		return;
	}
	$at      = time();
	$is_last = ! isset( CLINIC_SYNC_TRIES[ $tries ] );
	if ( ! $is_last ) {
		// Before sending, since this process may be killed meanwhile. What was taken by then is gone.
		wp_schedule_single_event( $at + 60 * CLINIC_SYNC_TRIES[ $tries ], 'clinic_sync_again', array( $id, $tries + 1 ) );
	}
	$answer  = wp_remote_post(
		CLINIC_SYNC_ADDRESS,
		array(
			'timeout'     => 10,
			'redirection' => 0,
			'body'        => $body,
			'headers'     => array(
				'Content-Type'                => 'application/json; charset=utf-8',
				'X-WPForms-Webhook-Signature' => "t=$at,v=" . hash_hmac( 'sha256', "$at.$body", CLINIC_SYNC_SECRET ),
			),
		)
	);
	$status  = is_wp_error( $answer ) ? $answer->get_error_message() : wp_remote_retrieve_response_code( $answer );
	if ( is_int( $status ) && $status >= 200 && $status < 300 ) {
		delete_option( "clinic_sync_$id" );
	} elseif ( $is_last ) {
		wp_mail(
			get_option( 'admin_email' ),
			'A booking was not passed on',
			"clinic-sync did not take an entry of a booking form for more than a day. Its last answer: $status.\n"
			. "The entry is in the e-mail that WPForms sent for it, and for 30 days in the option clinic_sync_$id."
		);
		wp_schedule_single_event( $at + 30 * DAY_IN_SECONDS, 'clinic_sync_forget', array( $id ) );
	}
}

/** The patient's answers do not stay for ever. */
function clinic_sync_forget( $id ) {
	delete_option( "clinic_sync_$id" );
}

function clinic_sync_uninstall() {
	global $wpdb;
	$wpdb->query( "DELETE FROM {$wpdb->options} WHERE option_name LIKE 'clinic\\_sync\\_%'" );
	wp_unschedule_hook( 'clinic_sync_again' );
	wp_unschedule_hook( 'clinic_sync_forget' );
}
