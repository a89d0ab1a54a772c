<?php
/**
 * Run once by wordpress.ts, in a copy of WordPress with an empty database: installs it, switches the plugins on and makes
 * one form of Contact Form 7 per argument, each a JSON object of settings of “CF7 to Webhook”, and one of WPForms where that
 * is there. Prints their ids, that of WPForms last.
 */
define( 'WP_INSTALLING', true );
$_SERVER['HTTP_HOST'] = getenv( 'SITE' );
require_once $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
wp_install( 'Live', 'admin', 'admin@clinic.example', true, '', 'not-a-secret' );
$plugins    = array( 'contact-form-7/wp-contact-form-7.php', 'cf7-to-zapier/cf7-to-zapier.php' );
$is_wpforms = is_dir( WP_PLUGIN_DIR . '/wpforms-lite' );
foreach ( $is_wpforms ? array_merge( $plugins, array( 'wpforms-lite/wpforms.php', 'wpforms-lite.php' ) ) : $plugins as $plugin ) {
	$error = activate_plugin( $plugin );
	if ( is_wp_error( $error ) ) {
		fwrite( STDERR, $error->get_error_message() );
		exit( 1 );
	}
}
wpcf7_register_post_types();
$form = '[text* your-name] [tel* your-tel] [date your-date] [select your-time "10:30" "3:00 PM"]'
	. ' [radio your-treatment use_label_element "Scaling & Polishing" "Whitening"] [checkbox your-menu "Cash" "Card"]'
	. ' [textarea your-message] [hidden utm_campaign] [acceptance consent] I agree [/acceptance] [submit]';
$ids = array();
foreach ( array_slice( $argv, 2 ) as $settings ) {
	$contact_form = WPCF7_ContactForm::get_template();
	$contact_form->set_title( 'Booking' );
	$contact_form->set_properties( array(
		'form'        => $form,
		'ctz_zapier'  => array_merge( array( 'accepted_statuses' => array( 200 ), 'custom_method' => 'POST' ), json_decode( $settings, true ) ),
	) );
	$ids[] = $contact_form->save();
}
if ( $is_wpforms ) {
	// Nobody may save an & as it is.
	wp_set_current_user( 1 );
	$field   = fn ( $id, $type, $label, $more = array() ) => array_merge( array( 'id' => "$id", 'type' => $type, 'label' => $label, 'required' => '1', 'format' => 'first-last' ), $more );
	$choices = fn ( ...$labels ) => array( 'choices' => array_map( fn ( $label ) => array( 'label' => $label, 'value' => '' ), $labels ) );
	$id      = wp_insert_post( array( 'post_type' => 'wpforms', 'post_status' => 'publish', 'post_title' => 'Booking' ) );
	$form    = array(
		'id'       => $id,
		'field_id' => 9,
		'fields'   => array(
			1 => $field( 1, 'name', 'Your name' ),
			2 => $field( 2, 'text', 'Phone' ),
			3 => $field( 3, 'text', 'Preferred date' ),
			4 => $field( 4, 'select', 'Preferred time', $choices( '10:30', '3:00 PM' ) ),
			5 => $field( 5, 'radio', 'Treatment', $choices( 'Scaling & Polishing', 'Whitening' ) ),
			6 => $field( 6, 'checkbox', 'Payment', $choices( 'Cash', 'Card' ) ),
			7 => $field( 7, 'textarea', 'Message' ),
		),
		'settings' => array( 'form_title' => 'Booking', 'submit_text' => 'Send', 'ajax_submit' => '1' ),
		'meta'     => array( 'template' => 'blank' ),
	);
	wp_update_post( array( 'ID' => $id, 'post_content' => wp_slash( wp_json_encode( $form ) ) ) );
	$ids[] = $id;
}
echo json_encode( $ids );
